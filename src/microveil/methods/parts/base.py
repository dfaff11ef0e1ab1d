"""Method: one protecting step."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from microveil.methods.parts.streams import Chance
from microveil.specs import Spec
from microveil.tables import Door, Missing, Roles, Table

if TYPE_CHECKING:
    from typing import Self

    import polars as pl
    from numpy.typing import NDArray

    from microveil.privacy import PrivacyModel


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a step made: the table, facts about the change, tables written beside or kept apart."""

    table: Table
    facts: Mapping[str, Any] = field(default_factory=dict)
    """Plain numbers and column names; never a cell's value."""
    parts: Mapping[str, pl.DataFrame] = field(default_factory=dict)
    """Further tables that belong to the release (a decomposed table's other halves)."""
    joined: Table | None = None
    """All tables put together on their links, where there are several; a record stands there once
    for each row that a link leads to."""
    secrets: Mapping[str, pl.DataFrame] = field(default_factory=dict)
    """Tables that must be kept apart from the release (a pseudonym's mapping)."""


@dataclass(frozen=True)
class Guarantee:
    """Differential privacy that a step gives to one record, or to one person's records."""

    epsilon: float
    """Privacy loss ε of all its columns together."""
    columns: tuple[str, ...]
    """The columns it covers; of the others it says nothing."""


class Method(Spec, ABC):
    """One protecting step: parameters, and how they change a table."""

    tag: ClassVar[str] = "method"

    @abstractmethod
    def apply(self, table: Table, rng: np.random.Generator) -> Outcome:
        """Make a safer table; the one handed in stays as it is."""

    def on_classes(
        self,
        table: Table,  # noqa: ARG002  for steps that count classes
        counts: NDArray[np.int64],  # noqa: ARG002  likewise
    ) -> Outcome | None:
        """This step on distinct rows, each of which stands for ``counts`` records.

        For tables that are too large to be held: what becomes of a row becomes of all its records.
        None where the step must see the records one by one.
        """
        return None

    def toward(
        self,
        requirements: Sequence[PrivacyModel],  # noqa: ARG002  for searches
        missing: Missing = "category",
    ) -> Self:
        """This step with a recipe's requirements as its goal, where it needs one and names none.

        A step that counts classes and does not say how a missing key is read reads it as the
        recipe does.
        """
        if getattr(self, "missing", missing) is not None:
            return self
        return self.model_copy(update={"missing": missing})

    def touches(self, table: Table) -> tuple[str, ...]:
        """The columns this step decides about; all quasi-identifiers unless it names its own."""
        for name in ("columns", "column"):
            named = getattr(self, name, None)
            if named:
                return (named,) if isinstance(named, str) else tuple(named)
        return table.roles.quasi_identifiers

    def leaves_out(self, table: Table) -> tuple[str, ...]:  # noqa: ARG002  for steps that split
        """Columns of the table that stand in none of the tables it is split into."""
        return ()

    @property
    def splits(self) -> bool:
        """Whether it cuts the table into several; a recipe does so when all else is done."""
        return False

    @property
    def one_to_one(self) -> bool:
        """Whether different values stay different, so that people can still be told apart."""
        return False

    @property
    def makes_mapping(self) -> bool:
        """Whether it hands out a table that must be kept apart from the release."""
        return False

    @property
    def perturbative(self) -> bool:
        """Whether values may be wrong afterwards; counting classes then says little about risk."""
        return False

    @property
    def repeatable(self) -> bool:
        """Whether the same seed gives the same table; not where noise must be secure."""
        return True

    @property
    def guarantee(self) -> Guarantee | None:
        """The differential privacy this step gives, where it gives any."""
        return None

    @property
    def row_wise(self) -> bool:
        """Whether each row's result depends on that row alone, so that files can be streamed."""
        return False

    def merge_facts(self, first: Mapping[str, Any], second: Mapping[str, Any]) -> Mapping[str, Any]:
        """Facts about two parts of a table as facts about both: counts add up, the rest stays."""
        added: Mapping[str, Any] = _added(first, second)
        return added

    def protect(self, frame: Any, roles: Roles | None = None, seed: int | None = None) -> Any:
        """Apply this one step to a data frame; the same kind of frame comes back.

        The seed is a secret: whoever has it can take the noise off.
        """
        if isinstance(frame, Table):
            table = frame if roles is None else frame.with_roles(roles)
            return self.apply(table, self._stream(table, seed)).table
        door = Door(frame)
        table = Table(door.frame, roles)
        outcome = self.apply(table, self._stream(table, seed))
        after = outcome.table
        return door.back(after.frame, after.rows, keep_index=not after.synthetic)

    def _stream(self, table: Table, seed: int | None) -> np.random.Generator:
        """The stream this step has as the first of a recipe."""
        return Chance.of(seed, table.frame).stream(self, 0)


def _added(first: Any, second: Any) -> Any:
    if isinstance(first, Mapping) and isinstance(second, Mapping):
        names = {**first, **second}
        return {name: _added(first.get(name), second.get(name)) for name in names}
    if first is None or second is None:
        return second if first is None else first
    counts = isinstance(first, int) and isinstance(second, int) and not isinstance(first, bool)
    return first + second if counts else second
