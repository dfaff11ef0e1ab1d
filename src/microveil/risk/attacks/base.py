"""AttackMeasure: risk as the success rate of an attack that is actually carried out."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from pydantic import Field

from microveil.errors import InputError
from microveil.hierarchies import AnyHierarchy
from microveil.measures.base import RiskMeasure, roles_for
from microveil.measures.evidence import AppliedRecipe
from microveil.measures.subject import Subject
from microveil.pairs.columns import Column, in_order, read_columns
from microveil.pairs.reading import Reading
from microveil.pairs.row_order import rows_belong_together
from microveil.risk.attacks.people import Scene
from microveil.tables import Roles, Table, as_table
from microveil.tables.door import refuse_nested
from microveil.tables.kinds import is_nested
from microveil.tables.roles import check_columns

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from microveil.scores import Score


@dataclass(frozen=True, eq=False)
class Attacked:
    """The targets of an attack, and what the intruder has."""

    original: Table
    released: Table
    control: Table | None = None
    """People who were not used for the release."""
    linked: bool = True
    """Whether rows show which value each label replaced."""
    reading: Reading | None = None
    """The tables as all measures read them."""

    @property
    def tables(self) -> tuple[Table, Table, Table | None]:
        """Original, release and control."""
        return self.original, self.released, self.control

    def columns(self, names: Sequence[str]) -> list[Column]:
        """The named columns of all tables, each converted to one type."""
        if self.reading is not None:
            return self.reading.columns(names)
        return read_columns(*self.tables, names, linked=self.linked)

    def scene(self, names: Sequence[str]) -> Scene:
        """The named columns, and whose rows they are."""
        reading = self.reading or Reading(*self.tables, self.linked)
        return Scene.of(reading, names)


class AttackMeasure(RiskMeasure):
    """How often an attack on the people of the original succeeds, given the release.

    Targets and ties are drawn at random, by default always in the same way, so that scores are
    reproducible; a ``seed`` varies them. The release may have other rows than the original, in any
    order, so synthetic records can be attacked as well.
    """

    needs_original: ClassVar[bool] = True
    most_cells: ClassVar[int | None] = 2_000_000
    n_attacks: int = Field(default=2000, ge=1)
    """Number of attacks; fewer if there are fewer people to attack."""
    confidence: float = Field(default=0.95, gt=0, lt=1)
    """Confidence level of the intervals."""

    hierarchies: Mapping[str, AnyHierarchy] = Field(default_factory=dict)
    """How values were generalised, by column: used to look up labels that are nodes of a tree."""

    @abstractmethod
    def attack(self, case: Attacked, rng: np.random.Generator) -> Score:
        """Carry out the attack."""

    def score(self, original: Table | None, table: Table) -> Score:
        """Attack without a control, with the default draw of targets."""
        return self.score_pair(original, table, aligned=_rows_align(original, table))

    def score_pair(
        self,
        original: Table | None,
        released: Table,
        *,
        aligned: bool = True,
        control: Table | None = None,
    ) -> Score:
        """Attack with the default draw of targets."""
        return self._attack(original, released, control, aligned=aligned)

    def score_reading(self, reading: Reading) -> Score:
        """Attack the release as it is read, with the default draw of targets."""
        return self.score_drawn(reading, None)

    def measure(
        self,
        first: Any,
        second: Any = None,
        *,
        roles: Roles | None = None,
        control: Any = None,
        seed: int | None = None,
        aligned: bool | None = None,
        recipe: AppliedRecipe | None = None,
    ) -> Score:
        """``measure(original, released, control=…)``: attack the release.

        ``control`` holds records of the same population that were not used for the release; what
        the attack learns about them is due to statistics, not to their presence. ``seed`` varies
        the targets. ``aligned`` says whether rows correspond; by default this is detected from the
        columns. With the ``recipe`` that made the release, labels are read as its steps wrote them.
        """
        if second is None:
            raise TypeError(f"{type(self).__name__}().measure(original, released) takes two tables")
        roles = roles_for(first, roles, recipe)
        held_out = None if control is None else readable_table(control, roles)
        original, released = readable_table(first, roles), readable_table(second, roles)
        if aligned is None:
            aligned = _rows_align(original, released)
        subject = Subject.of(original, released, recipe, control=held_out, aligned=aligned)
        with subject.in_its_folder():
            return self.with_treatment(subject).score_drawn(subject.reading, seed)

    def _attack(
        self, original: Table | None, released: Table, control: Table | None, *, aligned: bool
    ) -> Score:
        if original is None:
            raise TypeError(f"{type(self).__name__}().measure(original, released) takes two tables")
        return self.score_drawn(Reading(original, released, control, aligned), None)

    def score_drawn(self, reading: Reading, seed: int | None) -> Score:
        """Attack the release as it is read; a seed varies the draw of targets."""
        if reading.control is not None and reading.control.height == 0:
            raise InputError(
                "The control has no rows. Hold some records back from the release, or omit control."
            )
        read = reading.with_hierarchies(self.hierarchies)
        case = Attacked(read.original, read.released, read.control, read.aligned, read)
        return self.attack(case, np.random.default_rng(0 if seed is None else seed))


def _rows_align(original: Table | None, released: Table) -> bool:
    return original is None or rows_belong_together(original, released)


def readable_table(frame: Any, roles: Roles | None) -> Table:
    """A table with those roles whose columns it has."""
    if roles is None:
        return as_table(frame)
    bare = as_table(frame)
    return bare.with_roles(roles.without(set(roles.named) - set(bare.columns)))


def attack_columns(
    tables: Iterable[Table | None], chosen: Sequence[str] = (), *, attack: str
) -> list[str]:
    """The columns an attack uses: those named, or all that every table has.

    By default, identifiers, survey design columns (weight, household, entity) and nested columns
    are left out.
    """
    there = [table for table in tables if table is not None]
    if chosen:
        for table in there:
            check_columns(chosen, table.columns)
            refuse_nested(table.frame, list(chosen), attack)
        return list(dict.fromkeys(chosen))
    left_out = {name for table in there for name in _left_out(table.roles)}
    left_out |= {
        name for table in there for name, dtype in table.frame.schema.items() if is_nested(dtype)
    }
    common = set.intersection(*(set(table.columns) for table in there))
    columns = [name for name in there[0].columns if name in common - left_out]
    if not columns:
        raise InputError(
            "{attack} finds no column that the original and the release have in common. Name "
            "columns, or compare tables with the same columns.",
            attack=attack,
        )
    return columns


def _left_out(roles: Roles) -> list[str]:
    design = [name for name in (roles.weight, roles.household, roles.entity) if name is not None]
    return [*roles.identifiers, *design]


def targets(n_records: int, n_attacks: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """The rows to attack: all in order, or a sample without replacement."""
    if n_records <= n_attacks:
        return np.arange(n_records)
    return rng.choice(n_records, n_attacks, replace=False, shuffle=False)


def released_targets(
    columns: Sequence[Column],
    n_attacks: int,
    rng: np.random.Generator,
    some: NDArray[np.int64] | None = None,
) -> NDArray[np.int64]:
    """Released rows to examine, the same records whatever their order.

    All in order, or a sample without replacement; with ``some``, of these rows.
    """
    n_records = len(columns[0].released) if some is None else len(some)
    if n_records <= n_attacks:
        return np.arange(n_records) if some is None else some
    order = in_order(columns)
    if some is not None:
        order = order[np.isin(order, some)]
    return order[targets(n_records, n_attacks, rng)]
