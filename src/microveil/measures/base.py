"""Measure: what risk and utility measures have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Self

from microveil.errors import InputError
from microveil.measures.evidence import AppliedRecipe
from microveil.measures.subject import Subject
from microveil.pairs.alignment import is_paired, released_table
from microveil.pairs.reading import Reading
from microveil.specs import Spec
from microveil.tables import Roles, Table, as_table
from microveil.tables.table import table_inside
from microveil.tables.vectors import one_name
from microveil.texts import Message

if TYPE_CHECKING:
    from microveil.scores import Score


class Measure(Spec, ABC):
    """A number about a table, or about a release compared with its original.

    Wherever both tables are passed, the original comes first.
    """

    tag: ClassVar[str] = "name"
    needs_original: ClassVar[bool] = False
    """Whether the released table is compared with its original."""
    needs_alignment: ClassVar[bool] = False
    """Whether row i of the release must be row i of the original (or the row link be known)."""
    needs_numbers: ClassVar[bool] = False
    """Whether it uses numeric columns only: without one, a score of 0 means nothing."""
    reads_labels: ClassVar[bool] = False
    """Whether intervals and masks in the release are read as numbers."""
    computes: ClassVar[bool] = False
    """Whether labels of numbers count as numbers, whatever their form: see ``Reading.numbered``."""
    compares_cells: ClassVar[bool] = False
    """Whether cells are compared as they are written: a label is then no value it looks like."""
    counts_classes: ClassVar[bool] = False
    """Whether it uses class sizes, which are not valid evidence once keys have been perturbed."""
    by_default: ClassVar[bool] = True
    """Whether assessments and comparisons include the measure by default."""
    quick: ClassVar[bool] = True
    """Whether it takes about as long as reading the tables; others fit models or count pairs."""
    with_control: ClassVar[bool] = False
    """Whether comparisons include it by default once there is a control."""
    most_cells: ClassVar[int | None] = None
    """Records × columns above which it takes too long to be included by default."""
    looks_labels_up: ClassVar[bool] = False
    """Whether ``hierarchies`` default to those of the recipe that made the release."""

    repeats_count: ClassVar[bool] = True
    """Whether it counts rows that say what others say about the same person: False where only
    rows that differ are compared. Measures that count people themselves see all rows."""
    weighs: ClassVar[bool] = False
    """Whether records count by their sampling weights, if the roles name a weight."""
    reads_all_columns: ClassVar[bool] = False
    """Whether it reads every released column, so that counts of some columns do not suffice."""
    by_scenario: ClassVar[bool] = False
    """Whether it depends on what an intruder knows: limits then hold for each scenario."""
    known_field: ClassVar[str] = ""
    """The field that names what the intruder knows; without one, the roles' keys are known."""

    question: ClassVar[str] = "What else was measured?"
    """The reader's question that it answers; reports group measures by it."""
    title: ClassVar[str] = ""
    """What it is called in reports, in plain words."""
    plain: ClassVar[str] = ""
    """What it says, in plain words, if the first line of its docstring is a formula."""
    least_columns: ClassVar[int] = 1
    """Fewest columns for which its number is meaningful: one column has no correlations."""
    headline: ClassVar[bool] = False
    """Whether reports show it at once, not folded away."""

    def knowing(self, columns: tuple[str, ...]) -> Self:  # noqa: ARG002  for intruders
        """The measure for an intruder who knows these columns, which are the roles' keys."""
        return self

    def faults(self, score: Score) -> tuple[str, ...]:  # noqa: ARG002  for measures that know
        """The columns that raise a score, if the measure tells which."""
        return ()

    @abstractmethod
    def score_pair(
        self,
        original: Table | None,
        released: Table,
        *,
        aligned: bool = True,
        control: Table | None = None,
    ) -> Score:
        """Score a release against its original, or a table alone.

        ``aligned`` says whether row order, or the row link, pairs the rows; ``control`` holds
        records that were not used for the release.
        """

    def score_subject(self, subject: Subject) -> Score:
        """Score a release against its original as its recipe prescribes, or a table alone.

        Every way to a score leads through here.
        """
        with subject.in_its_folder():
            treated = self.with_treatment(subject)
            if subject.original is None:
                return treated.score_pair(None, subject.released)
            reading = subject.reading
            return treated.score_reading(reading if self.repeats_count else reading.said_once)

    def with_treatment(self, subject: Subject) -> Self:
        """The measure with the subject's treatment of missing keys and labels, if it set none."""
        fields, given = type(self).model_fields, self.model_fields_set
        changes: dict[str, object] = {}
        if "missing" in fields and "missing" not in given and self.missing != subject.missing:  # type: ignore[attr-defined]  # it has the field
            changes["missing"] = subject.missing
        if self.looks_labels_up and "hierarchies" not in given and subject.hierarchies:
            changes["hierarchies"] = subject.hierarchies
        return self.model_copy(update=changes) if changes else self

    def score_reading(self, reading: Reading) -> Score:
        """Score a release against its original, as both are read for all measures.

        Measures that compare records ask the reading what labels and rows mean; the others take
        the tables.
        """
        released = reading.numbered if self.computes else reading.released
        if self.compares_cells:
            released = reading.told_apart
        if self.needs_numbers and not self.reads_labels:
            released = reading.coded_as_text
        return self.score_pair(
            reading.original, released, aligned=reading.aligned, control=reading.control
        )


class RiskMeasure(Measure):
    """How much a table discloses; some measures also need the original."""

    def knowing(self, columns: tuple[str, ...]) -> Self:
        """The measure told what the intruder knows, if it is not by the roles."""
        return self.model_copy(update={self.known_field: columns}) if self.known_field else self

    @abstractmethod
    def score(self, original: Table | None, table: Table) -> Score:
        """Compute the score; ``original`` is given when the measure needs it."""

    def measure(
        self,
        first: Any,
        second: Any = None,
        *,
        roles: Roles | None = None,
        recipe: AppliedRecipe | None = None,
    ) -> Score:
        """Score a table; or ``measure(original, released)`` for measures that need both.

        With the ``recipe`` that made the release, labels are read as its steps wrote them.
        """
        if second is None and self.needs_original:
            raise TypeError(f"{type(self).__name__}().measure(original, released) takes two tables")
        if second is None:
            return self.score(None, as_table(first, roles))
        first, second = one_name(first, second)
        before, after = both_tables(first, second, roles, recipe)
        return self.score_subject(Subject.of(before, after, recipe))

    def score_pair(
        self,
        original: Table | None,
        released: Table,
        *,
        aligned: bool = True,  # noqa: ARG002  for attacks
        control: Table | None = None,  # noqa: ARG002  likewise
    ) -> Score:
        """Score the release, against its original if the measure needs it."""
        return self.score(original if self.needs_original else None, released)


class UtilityMeasure(Measure):
    """What the protection cost, measured by comparing the release with its original."""

    needs_original: ClassVar[bool] = True
    reads_labels: ClassVar[bool] = True
    repeats_count: ClassVar[bool] = False

    @abstractmethod
    def score(self, original: Table, released: Table) -> Score:
        """Compute the score; :func:`~microveil.pairs.alignment.align` pairs the rows."""

    def score_unpaired(self, original: Table, released: Table) -> Score:
        """Compute the score when rows cannot be paired.

        Measures that need paired rows refuse; those that merely benefit from them override this.
        """
        if self.needs_alignment:
            raise InputError(
                Message("measures.needs_rows_same_order", "needs rows in the same order")
            )
        return self.score(original, released)

    def score_pair(
        self,
        original: Table | None,
        released: Table,
        *,
        aligned: bool = True,
        control: Table | None = None,  # noqa: ARG002  for attacks
    ) -> Score:
        """Score the pair, row by row if rows can be paired."""
        if original is None:
            raise InputError(
                Message(
                    "measures.compares_release_original", "compares a release with its original"
                )
            )
        return (self.score if aligned else self.score_unpaired)(original, released)

    def measure(
        self,
        original: Any,
        released: Any,
        *,
        roles: Roles | None = None,
        aligned: bool | None = None,
        recipe: AppliedRecipe | None = None,
    ) -> Score:
        """Score a release against its original: any data frames, or two single columns.

        Rows are paired if both tables have the same number of rows, or if the row link is known.
        Pass ``aligned=False`` if the release is in a different order. With the ``recipe`` that made
        the release, labels are read as its steps wrote them.
        """
        original, released = one_name(original, released)
        before, after = both_tables(original, released, roles, recipe)
        if aligned is None:
            aligned = self.needs_alignment or is_paired(before, after)
        return self.score_subject(Subject.of(before, after, recipe, aligned=aligned))


def both_tables(
    original: Any, released: Any, roles: Roles | None, recipe: AppliedRecipe | None
) -> tuple[Table, Table]:
    """Both as tables, with the roles given or else those of the recipe."""
    roles = roles_for(original, roles, recipe)
    return as_table(original, roles), released_table(released, roles)


def roles_for(original: Any, roles: Roles | None, recipe: AppliedRecipe | None) -> Roles | None:
    """The roles given, or those of the recipe for data that have none."""
    if roles is None and recipe is not None and not isinstance(table_inside(original), Table):
        return recipe.roles
    return roles
