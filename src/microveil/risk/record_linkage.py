"""Record linkage: how many records an intruder links to the right person."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Self

import numpy as np
import polars as pl
from pydantic import Field, model_validator

from microveil.errors import ColumnError, quoted
from microveil.hierarchies import AnyHierarchy, Hierarchy
from microveil.measures.base import RiskMeasure
from microveil.pairs.alignment import common_columns
from microveil.pairs.known_columns import Pair, Rows, paired
from microveil.pairs.numbers import Numbers
from microveil.risk.attacks.rates import Rate
from microveil.risk.linkage.distances import Distance, RecordComparison, Standardize, compare
from microveil.risk.linkage.linking import (
    chance,
    grouped,
    links_frame,
    nearest_credits,
    nearest_links,
)
from microveil.scores import Score
from microveil.tables import Table
from microveil.tables.roles import Columns

FEWEST_LINKED = 1000
"""Smallest number of originals that are linked, however large the table."""


class RecordLinkage(RiskMeasure):
    """Share of released records linked to their original, a tie among t counting 1/t.

    The intruder knows original values of some columns and links every original record to a released
    one. ``distance`` links to the nearest record, by Euclidean distance unless another ``distance``
    is named: numbers differ in units of the released column, different categories by 1, a label
    (``[30, 39]``, ``80***``, ``{a, b}``) by the nearest value it covers, a node of a hierarchy by
    the levels up to it (Pagliuca & Seri 1999; Torra & Domingo-Ferrer 2003). ``assignment`` links
    one to one, with the smallest sum of distances (Herranz et al. 2015). ``probabilistic`` uses the
    agreement weights of Fellegi & Sunter (1969), estimated by the EM algorithm without knowing the
    true links.

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
    """Hierarchies used to compare categories, rather than only as equal or different."""
    agree_within: float = Field(default=0.1, ge=0)
    """With probabilistic: numbers at most this many units apart agree."""
    most_pairs: int = Field(default=2_000_000_000, ge=1)
    """With distance, if labels or categories are compared: number of record pairs examined; above
    it, a sample of the originals is linked, and the score has an interval."""
    one_to_one: bool = False
    """With probabilistic: whether a released record is linked at most once, so that the sum of the
    weights is largest."""
    links: bool = False
    """Whether ``frames["links"]`` shows the links themselves: position of the original, of the
    released row it is linked to (the first of equally near ones), how many are as near (0 where
    others are nearer, as an assignment may have it), and the chance that the link is right."""

    @model_validator(mode="after")
    def _weights_make_sense(self) -> Self:
        wrong = [name for name, weight in self.weights.items() if weight < 0]
        if wrong:
            raise ValueError(f"The weight of column {quoted(wrong)} is negative.")
        return self

    @model_validator(mode="after")
    def _distance_makes_sense(self) -> Self:
        if self.method == "probabilistic" and self.distance != "euclidean":
            raise ValueError("`distance` goes with `method: distance` or `assignment`.")
        own_unit = self.distance in ("gower", "mahalanobis")
        if own_unit and "standardize" in self.model_fields_set:
            raise ValueError(f"`distance: {self.distance}` brings its own unit of numbers.")
        return self

    def score(self, original: Table | None, table: Table) -> Score:
        """Link, and count correct links."""
        pair = paired(original, table, self.columns or _known(table, original))
        self._refuse_strangers(pair)
        frames: dict[str, pl.DataFrame] = {}
        parts: dict[str, Any] = {
            "n_records": pair.n_records,
            "chance": chance(pair.origin),
            "n_columns": len(pair.columns),
            "columns": list(pair.columns),
        }
        if self.method == "probabilistic":
            found = self._probabilistic(pair, parts, frames)
        else:
            comparison = self._comparison(pair)
            if self.method == "assignment":
                found = self._assigned(comparison, pair, parts, frames)
            else:
                return self._nearest(comparison, pair, parts)
        parts["expected_links"] = float(found.sum())
        parts["n_certain"] = int((found == 1).sum())
        value = float(found.mean()) if len(found) else 0.0
        return Score(measure=self.kind(), value=value, parts=parts, records=found, frames=frames)

    def _nearest(self, comparison: RecordComparison, pair: Pair, parts: dict[str, Any]) -> Score:
        """Link to the nearest; in large tables a sample of the originals, among all records."""
        groups = grouped(comparison.records)
        some = _sample(comparison, len(groups.sizes), self.most_pairs)
        found = nearest_credits(comparison, pair.origin, some, groups)
        linked = found if some is None else found[some]
        rate = Rate(len(linked), float(linked.sum()))
        parts["expected_links"] = rate.share * len(found)
        parts["n_certain"] = round((linked == 1).mean() * len(found)) if len(found) else 0
        parts["n_linked"] = len(linked)
        return Score(
            measure=self.kind(),
            value=rate.share,
            interval=None if some is None else rate.interval,
            parts=parts,
            records=found if some is None else None,
            frames=self._links(comparison, pair, found, some),
        )

    def _links(
        self, comparison: RecordComparison, pair: Pair, found: Numbers, some: Rows | None
    ) -> dict[str, pl.DataFrame]:
        """The links to the nearest, where they were asked for."""
        if not self.links:
            return {}
        rows = np.arange(pair.n_records) if some is None else some
        return {"links": nearest_links(comparison, pair.origin, found, rows)}

    def _comparison(self, pair: Pair) -> RecordComparison:
        if self.distance == "mahalanobis":
            weighted = [name for name in self.weights if pair.has_numbers(name)]
            if weighted:
                raise ColumnError(
                    f"Column {quoted(weighted)} has a weight, but Mahalanobis' distance weighs "
                    "numbers by their covariances. Leave it out, or take another distance."
                )
        return compare(pair, self.standardize, self.weights, self._built(pair), self.distance)

    def _built(self, pair: Pair) -> dict[str, Hierarchy]:
        return {
            name: builder.build(pair.before.frame[name])
            for name, builder in self.hierarchies.items()
        }

    def _refuse_strangers(self, pair: Pair) -> None:
        named = [*self.weights, *self.hierarchies]
        strangers = [name for name in dict.fromkeys(named) if name not in pair.columns]
        if strangers:
            raise ColumnError(
                f"Column {quoted(strangers)} has a weight or a hierarchy but is not compared. "
                "Name it in `columns`, or leave it out."
            )

    def _assigned(
        self,
        comparison: RecordComparison,
        pair: Pair,
        parts: dict[str, Any],
        frames: dict[str, pl.DataFrame],
    ) -> Numbers:
        from microveil.risk.linkage.assignment import assigned_credits

        assigned = assigned_credits(comparison, pair.origin)
        parts["n_unlinked"], parts["exact"] = assigned.n_unlinked, assigned.exact
        if self.links:
            linked = assigned.linked
            frames["links"] = links_frame(comparison, pair.origin, linked, assigned.credits)
        return assigned.credits

    def _probabilistic(
        self, pair: Pair, parts: dict[str, Any], frames: dict[str, pl.DataFrame]
    ) -> Numbers:
        from microveil.risk.linkage.fellegi_sunter import agreement_comparison

        built = self._built(pair)
        agreement = agreement_comparison(
            pair, self.standardize, self.agree_within, self.weights, built
        )
        frames["agreement"] = agreement.described
        if self.one_to_one:
            return self._assigned(agreement.comparison, pair, parts, frames)
        found = nearest_credits(agreement.comparison, pair.origin)
        frames |= self._links(agreement.comparison, pair, found, None)
        return found


def _sample(comparison: RecordComparison, n_distinct: int, most_pairs: int) -> Rows | None:
    """The originals to link; None if all can be.

    A tree finds the nearest numbers without examining all; labels and categories prune little.
    """
    from microveil.kernels.neighbours.mixed_tree import ABSOLUTE, NUMBER

    n = len(comparison.queries)
    if bool(np.isin(comparison.metric.kinds, (NUMBER, ABSOLUTE)).all()) or n * n <= most_pairs:
        return None
    n_linked = max(most_pairs // max(n_distinct, 1), FEWEST_LINKED)
    if n_linked >= n:
        return None
    return np.sort(np.random.default_rng(0).choice(n, n_linked, replace=False))


def _known(table: Table, original: Table | None) -> tuple[str, ...]:
    """The quasi-identifiers that are still in the release; none if the roles name none."""
    if original is None:
        return ()
    there = common_columns(original, table)
    keys = original.roles.quasi_identifiers or table.roles.quasi_identifiers
    usable = paired(original, table, ()).columns if keys else ()
    return tuple(name for name in keys if name in there and name in usable)
