"""Links between originals and released records by one way of linking, and what they amount to."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import polars as pl

from microveil.arrays import Floats, Longs
from microveil.errors import ColumnError
from microveil.pairs.known_columns import Pair
from microveil.risk.attacks.rates import Rate
from microveil.risk.linkage.compared import Distance, RecordComparison, Standardize
from microveil.risk.linkage.distances import compare, plain_numbers, telling_columns
from microveil.risk.linkage.known_sets import Names, Strongest, sample_rows, strongest
from microveil.risk.linkage.linking import (
    ColumnCodes,
    Groups,
    by_person,
    chance,
    each_once,
    group_rows,
    links_frame,
    nearest_credits,
    nearest_links,
    with_people,
)
from microveil.scores import Score

if TYPE_CHECKING:
    from microveil.risk.linkage.assignment import Assigned
    from microveil.risk.linkage.fellegi_sunter import Agreement

FEWEST_LINKED = 1000
"""Smallest number of originals that are linked, however large the table."""
MOST_ASSIGNED = 1500
"""Records up to which an assignment is repeated for other columns."""


class Linkage(Protocol):
    """How records are linked: the settings of the measure."""

    @property
    def method(self) -> str: ...  # noqa: D102  the settings are described where they are set

    @property
    def distance(self) -> Distance: ...  # noqa: D102

    @property
    def weights(self) -> Mapping[str, float]: ...  # noqa: D102

    @property
    def standardize(self) -> Standardize: ...  # noqa: D102

    @property
    def agree_within(self) -> float: ...  # noqa: D102

    @property
    def most_pairs(self) -> int: ...  # noqa: D102

    @property
    def one_to_one(self) -> bool: ...  # noqa: D102

    @property
    def worst_columns(self) -> bool: ...  # noqa: D102

    @property
    def links(self) -> bool: ...  # noqa: D102

    @classmethod
    def kind(cls) -> str: ...  # noqa: D102


class Links:
    """The links of a pair by all columns, or by those by which most is found."""

    def __init__(self, how: Linkage, pair: Pair) -> None:
        """Compare the records by all known columns."""
        self.how, self.pair = how, pair
        self.names: Names = tuple(telling_columns(pair, how.weights))

    @cached_property
    def agreement(self) -> Agreement | None:
        """Which columns agree, and what that weighs, in probabilistic linkage."""
        from microveil.risk.linkage.fellegi_sunter import agreement_comparison

        if self.how.method != "probabilistic":
            return None
        how = self.how
        return agreement_comparison(self.pair, how.standardize, how.agree_within, how.weights)

    @cached_property
    def comparison(self) -> RecordComparison:
        """The records by all columns."""
        if self.agreement is not None:
            return self.agreement.comparison
        how = self.how
        if how.distance == "mahalanobis":
            weighted = [name for name in how.weights if plain_numbers(self.pair, name)]
            if weighted:
                raise ColumnError(
                    "Column {weighted:quoted} has a weight, but Mahalanobis' distance weighs "
                    "numbers by their covariances. Leave it out, or take another distance.",
                    weighted=weighted,
                )
        return compare(self.pair, how.standardize, how.weights, how.distance)

    def by(self, columns: Names) -> RecordComparison:
        """The records by some of the columns."""
        if columns == self.names:
            return self.comparison
        if self._own_numbers():
            pair = self.pair._replace(columns=columns)
            return compare(pair, self.how.standardize, self.how.weights, self.how.distance)
        return self.comparison.only([self.names.index(name) for name in columns])

    @property
    def one_to_one(self) -> bool:
        """Whether a released record is linked at most once."""
        by_weight = self.agreement is not None and self.how.one_to_one
        return self.how.method == "assignment" or by_weight

    def assign(self, columns: Names) -> Assigned:
        """The one-to-one links by some columns."""
        from microveil.risk.linkage.assignment import assigned_credits

        return assigned_credits(self.by(columns), self.pair.owners)

    def credits(self, columns: Names, some: Longs | None) -> Floats:
        """Probability of a right link by some columns, for each row."""
        if self.one_to_one:
            return self.assign(columns).credits
        comparison = self.by(columns)
        groups = with_people(self._groups(columns, comparison), self.pair.people)
        return nearest_credits(comparison, self.pair.owners, some, groups)

    @cached_property
    def _codes(self) -> ColumnCodes:
        """The released columns as codes, made once for all sets of columns."""
        return ColumnCodes(self.comparison.records)

    def _own_numbers(self) -> bool:
        """Whether a set of columns has numbers of its own, not those of all columns."""
        return self.how.distance == "mahalanobis" and self.agreement is None

    def _groups(self, columns: Names, comparison: RecordComparison) -> Groups:
        """The distinct released rows by some columns."""
        if self._own_numbers() or not columns:
            return group_rows(comparison.records)
        return self._codes.groups([self.names.index(name) for name in columns], comparison.records)

    @cached_property
    def sample(self) -> Longs | None:
        """The originals that are linked; None for all.

        A tree finds the nearest numbers without examining all; labels and categories prune little.
        """
        from microveil.kernels.neighbours.mixed_tree import ABSOLUTE, NUMBER

        n = self.pair.n_records
        numbers = np.isin(self.comparison.metric.kinds, (NUMBER, ABSOLUTE)).all()
        if self.how.method != "distance" or numbers or n * n <= self.how.most_pairs:
            return None
        most = float(self.how.most_pairs)
        return sample_rows(
            n, float(n) * self._n_distinct(self.names), most, self.comparison.order, FEWEST_LINKED
        )

    def _n_distinct(self, columns: Names) -> int:
        if self._own_numbers() or not columns:
            return len(group_rows(self.by(columns).records).points)
        return self._codes.n_distinct([self.names.index(name) for name in columns])

    def _ceiling(self, columns: Names) -> float:
        """The most that some columns could find: no more than one of each distinct row."""
        if self.one_to_one or not self._each_once:
            return 1.0
        return self._n_distinct(columns) / max(len(self.pair.owners), 1)

    @cached_property
    def _each_once(self) -> bool:
        """Whether everybody has one row."""
        return each_once(self.pair.owners)

    def strongest(self) -> Strongest:
        """The columns by which most is found, among those that can be tried; only linked rows."""
        n, some = self.pair.n_records, self.sample
        rows = np.arange(n) if some is None else some

        def link(columns: Names, tried: Longs | None) -> Floats:
            return self.credits(columns, some if tried is None else rows[tried])[rows]

        every = Strongest(self.names, link(self.names, None))
        if not self.how.worst_columns or (self.one_to_one and n > MOST_ASSIGNED):
            return every
        return strongest(
            self.names,
            every.found,
            link,
            ceiling=self._ceiling,
            n_pairs=float(len(rows)) * self._n_distinct(self.names),
            order=lambda: _rank_rows(self.comparison.order(), rows),
            people=None if self.pair.people is None else self.pair.people[rows],
        )

    def score(self) -> Score:
        """What the links amount to."""
        best, pair, some = self.strongest(), self.pair, self.sample
        rows = np.arange(pair.n_records) if some is None else some
        people = None if pair.people is None else pair.people[rows]
        each = best.found if people is None else by_person(best.found, people)
        rate = Rate(len(each), float(each.sum()))
        n = pair.n_records if pair.people is None else len(np.unique(pair.people))
        parts: dict[str, Any] = {
            "n_records": pair.reading.released.height,
            "chance": chance(pair.owners, pair.people),
            "n_columns": len(pair.columns),
            "columns": list(best.columns),
            "expected_links": rate.share * n,
            "n_certain": round(float((each == 1).mean()) * n) if len(each) else 0,
        }
        if pair.people is not None:
            parts["n_people"] = n
        if self.how.method == "distance":
            parts["n_linked"] = len(each)
        frames: dict[str, pl.DataFrame] = {}
        self._describe(best, rows, parts, frames)
        return Score(
            measure=self.how.kind(),
            value=rate.share,
            interval=None if some is None else rate.interval,
            parts=parts,
            records=best.found[pair.alike.of_row] if some is None else None,
            frames=frames,
        )

    def _describe(
        self,
        best: Strongest,
        rows: Longs,
        parts: dict[str, Any],
        frames: dict[str, pl.DataFrame],
    ) -> None:
        """Add what an assignment and agreement weights tell, and the links where asked for."""
        if self.agreement is not None:
            frames["agreement"] = self.agreement.described
        assigned = self.assign(best.columns) if self.one_to_one else None
        if assigned is not None:
            parts["n_unlinked"], parts["exact"] = assigned.n_unlinked, assigned.exact
        if not self.how.links:
            return
        comparison, origin = self.by(best.columns), self.pair.origin
        found = np.zeros(self.pair.n_records)
        found[rows] = best.found
        if assigned is not None:
            links = links_frame(comparison, origin, assigned.linked, found)
        else:
            links = nearest_links(comparison, origin, found, rows)
        if len(self.pair.alike.rows) < self.pair.reading.released.height:
            shown = pl.Series("released", self.pair.alike.rows)
            links = links.with_columns(shown.gather(links["released"]))
        frames["links"] = links


def _rank_rows(order: Longs, rows: Longs) -> Longs:
    """Positions of some rows in an order of all."""
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return np.argsort(rank[rows])
