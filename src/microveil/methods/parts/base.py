"""Method: one protection step."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence, Sized
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, overload

import numpy as np
from pydantic import ConfigDict

from microveil.errors import ColumnError
from microveil.methods.parts.streams import Chance
from microveil.progress import showing
from microveil.specs import Spec
from microveil.tables import Door, Missing, Roles, Table
from microveil.tables.vectors import UNNAMED, is_vector, vector_name

if TYPE_CHECKING:
    from typing import Self

    import polars as pl
    from numpy.typing import NDArray

    from microveil.labels.recoding import Recoding
    from microveil.privacy import PrivacyModel

FrameT = TypeVar("FrameT", bound="Sized | pl.LazyFrame | Table")
"""Frames and vectors of pandas, Polars, Arrow and NumPy: all but lazy ones have a length."""


@dataclass(frozen=True, eq=False)
class Outcome:
    """The result of a step: the table, facts about the change, and further or secret tables."""

    table: Table
    facts: Mapping[str, Any] = field(default_factory=dict)
    """Plain numbers and column names, never cell values."""
    parts: Mapping[str, pl.DataFrame] = field(default_factory=dict)
    """Further tables that belong to the release (a decomposed table's other halves)."""
    joined: Table | None = None
    """All tables joined on their links, if there are several; a record occurs once for each row
    that a link leads to."""
    secrets: Mapping[str, pl.DataFrame] = field(default_factory=dict)
    """Tables that must be kept separate from the release (a pseudonym mapping)."""


@dataclass(frozen=True)
class Guarantee:
    """Differential privacy that a step guarantees for one record, or one person's records."""

    epsilon: float
    """Privacy loss ε of all its columns together."""
    columns: tuple[str, ...]
    """The columns it covers; it says nothing about the others."""
    delta: float = 0.0
    """Probability δ that the loss is larger."""
    unit: str = "one record"
    """Whose data ε is about."""


def _must_name_columns(schema: dict[str, Any]) -> None:
    """Files must name the columns that Python may leave out for a single column."""
    columns = schema.get("properties", {}).get("columns", {})
    if columns.get("default") == [] and "minLength" in columns:
        del columns["default"]
        schema["required"] = ["columns", *schema.get("required", [])]


class Method(Spec, ABC):
    """One protection step: parameters, and how they change a table."""

    model_config = ConfigDict(json_schema_extra=_must_name_columns)
    tag: ClassVar[str] = "method"

    @abstractmethod
    def apply(self, table: Table, rng: np.random.Generator) -> Outcome:
        """Return a safer table; the input is not changed."""

    def on_classes(
        self,
        table: Table,  # noqa: ARG002  for steps that count classes
        counts: NDArray[np.int64],  # noqa: ARG002  likewise
    ) -> Outcome | None:
        """This step on distinct rows, each of which stands for ``counts`` records.

        For tables too large for memory: all records of a distinct row are treated alike. None if
        the step needs the records one by one.
        """
        return None

    def toward(
        self,
        requirements: Sequence[PrivacyModel],  # noqa: ARG002  for searches
        missing: Missing = "category",
    ) -> Self:
        """This step with a recipe's requirements as its goal, if it needs one and names none.

        A step that counts classes and does not set the treatment of missing keys follows the
        recipe.
        """
        if getattr(self, "missing", missing) is not None:
            return self
        return self.model_copy(update={"missing": missing})

    def touches(self, table: Table) -> tuple[str, ...]:
        """The columns this step decides about; by default all quasi-identifiers."""
        for name in ("columns", "column"):
            named = getattr(self, name, None)
            if named:
                return (named,) if isinstance(named, str) else tuple(named)
        return table.roles.quasi_identifiers

    @property
    def lacks_columns(self) -> bool:
        """Whether its columns still have to be named; only a single column needs no name."""
        field = type(self).__pydantic_fields__.get("columns")
        named = field is not None and any(getattr(one, "min_length", 0) for one in field.metadata)
        return named and not getattr(self, "columns", None)

    def recodes(
        self,
        name: str,  # noqa: ARG002  for steps that recode
        values: pl.Series,  # noqa: ARG002  likewise
        counts: NDArray[np.int64],  # noqa: ARG002  likewise
    ) -> Recoding | None:
        """What the step may make of a column's distinct values, which ``counts`` records have.

        Readers of the release go back from a label to the values behind it. None if the step
        leaves the column as it is, changes records rather than values, or writes labels that
        describe themselves (``[30, 39]``).
        """
        return None

    def leaves_out(self, table: Table) -> tuple[str, ...]:  # noqa: ARG002  for steps that split
        """Columns of the table that are in none of the tables it is split into."""
        return ()

    @property
    def draws(self) -> bool:
        """Whether it draws at random; otherwise it gets no random numbers."""
        return True

    @property
    def splits(self) -> bool:
        """Whether it splits the table; a recipe does this last."""
        return False

    @property
    def one_to_one(self) -> bool:
        """Whether different values stay different, so that people remain distinguishable."""
        return False

    @property
    def makes_mapping(self) -> bool:
        """Whether it returns a table that must be kept separate from the release."""
        return False

    @property
    def perturbative(self) -> bool:
        """Whether values may be wrong afterwards; class sizes then say little about risk."""
        return False

    @property
    def repeatable(self) -> bool:
        """Whether the same seed gives the same table; not if noise must be secure."""
        return True

    @property
    def guarantee(self) -> Guarantee | None:
        """The differential privacy that this step guarantees, if any."""
        return None

    def guarantee_for(self, table: Table) -> Guarantee | None:  # noqa: ARG002  for steps on all columns
        """The same for a table, where the step works on whatever columns that has."""
        return self.guarantee

    @property
    def row_wise(self) -> bool:
        """Whether each row's result depends on that row alone, so that files can be streamed."""
        return False

    def merge_facts(self, first: Mapping[str, Any], second: Mapping[str, Any]) -> Mapping[str, Any]:
        """Merge facts about two parts of a table: counts are summed, the rest is kept."""
        added: Mapping[str, Any] = _add_facts(first, second)
        return added

    @overload
    def protect(
        self, frame: Mapping[str, Any], roles: Roles | None = None, seed: int | None = None
    ) -> Any: ...
    @overload
    def protect(
        self, frame: FrameT, roles: Roles | None = None, seed: int | None = None
    ) -> FrameT: ...
    def protect(self, frame: Any, roles: Roles | None = None, seed: int | None = None) -> Any:
        """Apply this one step to a data frame and return the same kind of frame.

        A single column will do, too: a pandas or Polars Series, an Arrow array, a NumPy vector.
        The step then need not name it. The seed is a secret: whoever has it can remove the noise.
        """
        if self.lacks_columns and not is_vector(frame):
            raise ColumnError(
                "Step '{kind}' names no column: say which `columns`.", kind=self.kind()
            )
        if isinstance(frame, Table):
            table = frame if roles is None else frame.with_roles(roles)
            with showing(self.kind()):
                return self.apply(table, self._stream(table, seed)).table
        door = Door(frame, self._name_of(frame) if is_vector(frame) else None)
        step = self
        if self.lacks_columns and door.vector is not None:
            step = self.model_copy(update={"columns": tuple(door.frame.columns)})
        table = Table(door.frame, roles)
        with showing(self.kind()):
            after = step.apply(table, self._stream(table, seed)).table
        if door.vector is not None and after.frame.width != 1:
            raise ColumnError(
                "Step '{kind}' does not give one column back. Hand it a data frame.",
                kind=self.kind(),
            )
        return door.back(after.frame, after.rows, keep_index=not after.synthetic)

    def _name_of(self, vector: Any) -> str:
        """A vector's own name; else the one column the step names."""
        own = getattr(self, "columns", None) or getattr(self, "column", None) or ()
        named = (own,) if isinstance(own, str) else tuple(own)
        return vector_name(vector, named[0] if len(named) == 1 else UNNAMED)

    def _stream(self, table: Table, seed: int | None) -> np.random.Generator:
        """The random stream of this step as the first of a recipe."""
        return Chance.of(seed, table.frame, steps=[self]).stream(self, 0)


def _add_facts(first: Any, second: Any) -> Any:
    if isinstance(first, Mapping) and isinstance(second, Mapping):
        names = {**first, **second}
        return {name: _add_facts(first.get(name), second.get(name)) for name in names}
    if first is None or second is None:
        return second if first is None else first
    counts = isinstance(first, int) and isinstance(second, int) and not isinstance(first, bool)
    return first + second if counts else second
