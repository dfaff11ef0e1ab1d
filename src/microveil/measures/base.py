"""Measure: what measures of risk and of utility share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

from microveil.errors import InputError
from microveil.pairs.alignment import is_paired, released_table
from microveil.specs import Spec
from microveil.tables import Roles, Table, as_table
from microveil.tables.vectors import one_name

if TYPE_CHECKING:
    from microveil.scores import Score


class Measure(Spec, ABC):
    """A number about a table, or about a release beside its original.

    Wherever both tables are handed over, the original comes first.
    """

    tag: ClassVar[str] = "name"
    needs_original: ClassVar[bool] = False
    """Whether the released table is looked at beside its original."""
    needs_alignment: ClassVar[bool] = False
    """Whether row i of the release must be row i of the original (or the row link known)."""
    needs_numbers: ClassVar[bool] = False
    """Whether it looks at columns of numbers alone: without one, its 0 means nothing."""
    reads_labels: ClassVar[bool] = False
    """Whether intervals and masks in the release are read as numbers."""
    counts_classes: ClassVar[bool] = False
    """Whether it reads class sizes, which say little once keys have been perturbed."""
    by_default: ClassVar[bool] = True
    """Whether assessments and comparisons take the measure without being asked to."""
    quick: ClassVar[bool] = True
    """Whether it takes about as long as reading the tables; others fit models or count pairs."""
    with_control: ClassVar[bool] = False
    """Whether comparisons take it without being asked to once they have a control."""
    most_cells: ClassVar[int | None] = None
    """Records × columns beyond which it takes too long to be taken without being asked to."""
    looks_labels_up: ClassVar[bool] = False
    """Whether its ``hierarchies`` are those of the recipe that made the release, unless given."""

    @abstractmethod
    def score_pair(
        self,
        original: Table | None,
        released: Table,
        *,
        aligned: bool = True,
        control: Table | None = None,
    ) -> Score:
        """Score a release beside its original, or a table alone.

        ``aligned`` tells whether the rows' order, or their link, says which became which;
        ``control`` are records that the release never saw.
        """


class RiskMeasure(Measure):
    """How much a table discloses; some measures need the original beside it."""

    @abstractmethod
    def score(self, original: Table | None, table: Table) -> Score:
        """Work the score out; ``original`` is there when the measure needs it."""

    def measure(self, first: Any, second: Any = None, *, roles: Roles | None = None) -> Score:
        """Score a table; or ``measure(original, released)`` for measures that need both."""
        if second is None and self.needs_original:
            raise TypeError(f"{type(self).__name__}().measure(original, released) takes two tables")
        if second is None:
            return self.score(None, as_table(first, roles))
        first, second = one_name(first, second)
        return self.score(as_table(first, roles), released_table(second, roles))

    def score_pair(
        self,
        original: Table | None,
        released: Table,
        *,
        aligned: bool = True,  # noqa: ARG002  for attacks
        control: Table | None = None,  # noqa: ARG002  likewise
    ) -> Score:
        """Score the release, beside its original where the measure needs it."""
        return self.score(original if self.needs_original else None, released)


class UtilityMeasure(Measure):
    """What the protection cost, seen by laying the release beside its original."""

    needs_original: ClassVar[bool] = True
    reads_labels: ClassVar[bool] = True

    @abstractmethod
    def score(self, original: Table, released: Table) -> Score:
        """Work the score out; :func:`~microveil.pairs.alignment.aligned` pairs the rows."""

    def score_unpaired(self, original: Table, released: Table) -> Score:
        """Work the score out where nobody knows which row was which.

        Measures that pair rows refuse; those that gain from pairs, but can do without, override.
        """
        if self.needs_alignment:
            raise InputError("needs rows in the same order")
        return self.score(original, released)

    def score_pair(
        self,
        original: Table | None,
        released: Table,
        *,
        aligned: bool = True,
        control: Table | None = None,  # noqa: ARG002  for attacks
    ) -> Score:
        """Score the pair, by its rows where they are known."""
        if original is None:
            raise InputError("looks at a release beside its original")
        return (self.score if aligned else self.score_unpaired)(original, released)

    def measure(
        self,
        original: Any,
        released: Any,
        *,
        roles: Roles | None = None,
        aligned: bool | None = None,
    ) -> Score:
        """Score a release against its original: any data frames, or two single columns.

        Rows are paired while both have as many, or where the row link is known; say
        ``aligned=False`` when the release is in another order.
        """
        original, released = one_name(original, released)
        before, after = as_table(original, roles), released_table(released, roles)
        if aligned is None:
            aligned = self.needs_alignment or is_paired(before, after)
        return self.score(before, after) if aligned else self.score_unpaired(before, after)
