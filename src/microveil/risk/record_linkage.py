"""Record linkage: how many records an intruder links to the right person."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal, Self

from pydantic import Field, model_validator

from microveil.errors import ColumnError
from microveil.hierarchies import AnyHierarchy
from microveil.measures.base import RiskMeasure
from microveil.pairs.alignment import common_columns
from microveil.pairs.known_columns import Pair, known_columns, paired_reading, reading_of
from microveil.pairs.reading import Reading
from microveil.risk.linkage.compared import Distance, Standardize
from microveil.risk.linkage.links import Links
from microveil.scores import Score
from microveil.tables import Table
from microveil.tables.roles import Columns
from microveil.texts import phrase


class RecordLinkage(RiskMeasure):
    """Share of released records linked to their original, a tie among t counting 1/t.

    The intruder knows original values of some columns and links every original record to a released
    one. ``distance`` links to the nearest record, by Euclidean distance unless another ``distance``
    is named: numbers differ in units of the released column, different categories by 1, a label by
    the nearest value it stands for (Pagliuca & Seri 1999; Torra & Domingo-Ferrer 2003).
    ``assignment`` links one to one, with the smallest sum of distances (Herranz et al. 2015).
    ``probabilistic`` uses the agreement weights of Fellegi & Sunter (1969), estimated by the EM
    algorithm without knowing the true links. The score is the highest over the columns that the
    intruder may use. With an entity it is about people: any row of the person is a right link.

    Two missing cells are equal; a cell missing on one side counts as the distance between two
    random records. Columns that are constant in either table are uninformative. Time of
    ``distance`` grows as n log n for numbers, unless the protection has moved records far in a
    dense table.

    >>> frame, released = {"x": [1.0, 2.0, 9.0]}, {"x": [1.2, 2.0, 1.1]}
    >>> round(RecordLinkage().measure(frame, released).value, 3)
    0.333
    """

    question: ClassVar[str] = "Can records be linked to people?"
    title: ClassVar[str] = "Records linked by all original values"
    plain: ClassVar[str] = "Share of people found by whoever knows their original values."
    headline: ClassVar[bool] = True
    name: Literal["record_linkage"] = "record_linkage"
    by_scenario: ClassVar[bool] = True
    known_field: ClassVar[str] = "columns"
    needs_original: ClassVar[bool] = True
    needs_alignment: ClassVar[bool] = True
    columns: Columns = ()
    """Columns the intruder knows; by default the quasi-identifiers, or without those all common
    columns: the worst case."""
    method: Literal["distance", "probabilistic", "assignment"] = "distance"
    """How records are linked."""
    distance: Distance = "euclidean"
    """``euclidean``: differences squared; ``manhattan``: not squared; ``gower``: not squared, and
    numbers over their range; ``mahalanobis``: squared, and what correlated numbers have in common
    counts once. Not with probabilistic."""
    weights: Mapping[str, float] = Field(default_factory=dict)
    """Weight of a column's difference (squared if the distance is); 1 by default."""
    standardize: Standardize = "sd"
    """Unit of numbers: the released column's standard deviation, range, median deviation, ranks, or
    none."""
    hierarchies: Mapping[str, AnyHierarchy] = Field(default_factory=dict)
    """How columns were generalised, where no recipe says so: what labels stand for, and how near
    categories are to each other."""
    agree_within: float = Field(default=0.1, ge=0)
    """With probabilistic: numbers at most this many units apart agree."""
    most_pairs: int = Field(default=2_000_000_000, ge=1)
    """With distance, if labels or categories are compared: number of record pairs examined; above
    it, a sample of the originals is linked, and the score has an interval."""
    one_to_one: bool = False
    """With probabilistic: whether a released record is linked at most once, so that the sum of the
    weights is largest."""
    worst_columns: bool = True
    """Whether the intruder may leave columns out: the score is the highest over all columns, each
    alone, each left out, and more left out as long as that helps. In large tables the columns are
    chosen on a sample."""
    links: bool = False
    """Whether ``frames["links"]`` shows the links themselves: position of the original, of the
    released row it is linked to (the first of equally near ones), how many are as near (0 where
    others are nearer, as an assignment may have it), and the chance that the link is right."""

    @model_validator(mode="after")
    def _weights_make_sense(self) -> Self:
        wrong = [name for name, weight in self.weights.items() if weight < 0]
        if wrong:
            raise ValueError(
                phrase("The weight of column {wrong:quoted} is negative.", wrong=wrong)
            )
        return self

    @model_validator(mode="after")
    def _distance_makes_sense(self) -> Self:
        if self.method == "probabilistic" and self.distance != "euclidean":
            raise ValueError("`distance` goes with `method: distance` or `assignment`.")
        own_unit = self.distance in ("gower", "mahalanobis")
        if own_unit and "standardize" in self.model_fields_set:
            raise ValueError(
                phrase(
                    "`distance: {distance}` brings its own unit of numbers.", distance=self.distance
                )
            )
        return self

    def score(self, original: Table | None, table: Table) -> Score:
        """Link, and count correct links."""
        return self.score_reading(reading_of(original, table))

    def score_reading(self, reading: Reading) -> Score:
        """Link by all known columns, then by those by which most is found."""
        read = reading.with_hierarchies(self.hierarchies)
        pair = paired_reading(read, self.columns or _known_keys(reading.released, reading.original))
        self._refuse_strangers(pair)
        return Links(self, pair).score()

    def _refuse_strangers(self, pair: Pair) -> None:
        named = [*self.weights, *self.hierarchies]
        strangers = [name for name in dict.fromkeys(named) if name not in pair.columns]
        if strangers:
            raise ColumnError(
                "Column {strangers:quoted} has a weight or a hierarchy but is not compared. "
                "Name it in `columns`, or leave it out.",
                strangers=strangers,
            )


def _known_keys(table: Table, original: Table | None) -> tuple[str, ...]:
    """The quasi-identifiers that are still in the release; none if the roles name none."""
    if original is None:
        return ()
    there = common_columns(original, table)
    keys = original.roles.quasi_identifiers or table.roles.quasi_identifiers
    usable = known_columns(original, table)
    return tuple(name for name in keys if name in there and name in usable)
