"""AttackMeasure: risk as the success of an attack that is really carried out."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from pydantic import Field

from microveil.errors import InputError
from microveil.measures.base import RiskMeasure
from microveil.tables import Roles, Table, as_table
from microveil.tables.door import refuse_nested
from microveil.tables.roles import check_columns

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from microveil.scores import Score


class AttackMeasure(RiskMeasure):
    """How often an attack on the people of the original succeeds, given the release.

    Targets and ties are drawn at random, by default always in the same way, so that a score can be
    repeated; a ``seed`` varies them. The release may have other rows than the original, in any
    order: synthetic records, too, are attacked.
    """

    needs_original: ClassVar[bool] = True
    most_cells: ClassVar[int | None] = 2_000_000
    n_attacks: int = Field(default=2000, ge=1)
    """Number of attacks; fewer where there are fewer people to attack."""
    confidence: float = Field(default=0.95, gt=0, lt=1)
    """Confidence level of the intervals."""

    @abstractmethod
    def attack(
        self, original: Table, released: Table, control: Table | None, rng: np.random.Generator
    ) -> Score:
        """Carry the attack out; ``control`` are people whom the release never saw."""

    def score(self, original: Table | None, table: Table) -> Score:
        """The attack without a control, targets drawn as ever."""
        if original is None:
            raise TypeError(f"{type(self).__name__}().measure(original, released) takes two tables")
        return self.attack(original, table, None, np.random.default_rng(0))

    def measure(
        self,
        first: Any,
        second: Any = None,
        *,
        roles: Roles | None = None,
        control: Any = None,
        seed: int | None = None,
    ) -> Score:
        """``measure(original, released, control=…)``: the release attacked.

        ``control`` are records of the same population that did not go into the release; what the
        attack learns about them it owes to statistics, not to their presence. ``seed`` varies the
        targets.
        """
        if second is None:
            raise TypeError(f"{type(self).__name__}().measure(original, released) takes two tables")
        held_out = None if control is None else readable_table(control, roles)
        if held_out is not None and held_out.height == 0:
            raise InputError(
                "The control has no rows. Hold some records back from the release, or leave "
                "control out."
            )
        rng = np.random.default_rng(0 if seed is None else seed)
        return self.attack(
            readable_table(first, roles), readable_table(second, roles), held_out, rng
        )


def readable_table(frame: Any, roles: Roles | None) -> Table:
    """A table read with those of the roles whose columns it has."""
    if roles is None:
        return as_table(frame)
    bare = as_table(frame)
    return bare.with_roles(roles.without(set(roles.named) - set(bare.columns)))


def attack_columns(
    tables: Iterable[Table | None], chosen: Sequence[str] = (), *, attack: str
) -> list[str]:
    """The columns an attack works with: those named, or all that every table has.

    Unless named, identifiers and the columns of the survey's design (weight, household, entity)
    stay out, and so do nested ones.
    """
    there = [table for table in tables if table is not None]
    if chosen:
        for table in there:
            check_columns(chosen, table.columns)
            refuse_nested(table.frame, list(chosen), attack)
        return list(dict.fromkeys(chosen))
    left_out = {name for table in there for name in _left_out(table.roles)}
    left_out |= {
        name for table in there for name, dtype in table.frame.schema.items() if dtype.is_nested()
    }
    common = set.intersection(*(set(table.columns) for table in there))
    columns = [name for name in there[0].columns if name in common - left_out]
    if not columns:
        raise InputError(
            f"{attack} finds no column that the original and the release have in common. Name "
            "columns, or compare tables with the same columns."
        )
    return columns


def _left_out(roles: Roles) -> list[str]:
    design = [name for name in (roles.weight, roles.household, roles.entity) if name is not None]
    return [*roles.identifiers, *design]


def targets(n_records: int, n_attacks: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """The rows that are attacked: all in their order, or so many drawn without repetition."""
    if n_records <= n_attacks:
        return np.arange(n_records)
    return rng.choice(n_records, n_attacks, replace=False, shuffle=False)
