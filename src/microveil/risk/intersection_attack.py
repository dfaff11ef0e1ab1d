"""Intersection attack: candidates left after intersecting the swapping ranges of all columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray
from pydantic import Field

from microveil.arrays import Floats
from microveil.errors import ColumnError
from microveil.measures.base import RiskMeasure
from microveil.pairs.known_columns import Pair, paired_reading, reading_of
from microveil.pairs.reading import Reading
from microveil.risk.linkage.known_sets import Strongest, strongest
from microveil.risk.linkage.linking import by_person, chance, grouped_people, own_rows
from microveil.risk.linkage.number_links import LOOKED_AT
from microveil.scores import Score
from microveil.tables import Table
from microveil.tables.kinds import numbers_of
from microveil.tables.roles import Columns


class IntersectionAttack(RiskMeasure):
    """Probability of picking the right record among those that no swapping range rules out.

    Rank swapping moves a value by at most a known number of ranks. An intruder who knows an
    original value therefore knows, for each column, which released records may be the right one,
    and few remain over all columns (Nin, Herranz & Torra 2008). The value is the mean of 1/c, where
    c is the number of candidates, or 0 if the true record is not among them. ``parts`` has the
    share of records identified with certainty (c = 1), the mean number of candidates, the share
    whose true record was ruled out, and each column's range.

    A missing cell rules nothing out. Tied values share all their ranks.

    >>> frame = {"x": [1, 2, 3, 4], "y": [1, 3, 2, 4]}
    >>> released = {"x": [2, 1, 4, 3], "y": [2, 3, 1, 4]}
    >>> IntersectionAttack().measure(frame, released).parts["certain_share"]
    0.5
    """

    question: ClassVar[str] = "Can records be linked to people?"
    title: ClassVar[str] = "Records left by swapping ranges"
    name: Literal["intersection_attack"] = "intersection_attack"
    by_scenario: ClassVar[bool] = True
    known_field: ClassVar[str] = "columns"
    needs_original: ClassVar[bool] = True
    needs_alignment: ClassVar[bool] = True
    needs_numbers: ClassVar[bool] = True
    most_cells: ClassVar[int | None] = 5_000_000
    columns: Columns = ()
    """Columns the intruder knows; by default all numeric, date and enum columns."""
    range_share: float | None = Field(default=None, ge=0, le=1)
    """How far a value may have moved, as a share of the ranks; by default the largest move found in
    each column, which is the worst case."""

    def score(self, original: Table | None, table: Table) -> Score:
        """Count each record's candidates."""
        return self.score_reading(reading_of(original, table))

    def score_reading(self, reading: Reading) -> Score:
        """Count each record's candidates by all columns, or by those that leave fewest."""
        pair = self._rankable(paired_reading(reading, self.columns))
        windows = {name: self._window(pair, name) for name in pair.columns}
        every = _Left.by(pair, windows, pair.columns)
        best = Strongest(pair.columns, every.found)
        if (every.n_own == 0).any():  # otherwise a further column only rules others out
            best = strongest(
                pair.columns,
                every.found,
                lambda columns, _: _Left.by(pair, windows, columns).found,
                ceiling=lambda _: 1.0,
                n_pairs=float(pair.n_records) * min(pair.n_records, LOOKED_AT),
                order=lambda: np.arange(pair.n_records),
                people=pair.people,
            )
        left = every if best.columns == pair.columns else _Left.by(pair, windows, best.columns)
        found = best.found if pair.people is None else by_person(best.found, pair.people)
        n = len(found)
        parts = {
            "n_records": reading.released.height,
            "certain_share": float((found == 1).mean()) if n else 0.0,
            "mean_candidates": float(left.counts.mean()) if n else 0.0,
            "ruled_out_share": float((left.n_own == 0).mean()) if n else 0.0,
            "chance": chance(pair.owners, pair.people),
            "range_share": {name: window.share for name, window in windows.items()},
            "columns": list(best.columns),
        }
        value = float(found.mean()) if n else 0.0
        records = best.found[pair.alike.of_row]
        return Score(measure=self.kind(), value=value, parts=parts, records=records)

    def _rankable(self, pair: Pair) -> Pair:
        fitting = tuple(name for name in pair.columns if _has_ranks(pair, name))
        if self.columns and len(fitting) < len(pair.columns):
            wrong = [name for name in pair.columns if name not in fitting]
            raise ColumnError(
                "Column {wrong:quoted} has no ranks in both tables. Name columns of numbers, "
                "dates or enums.",
                wrong=wrong,
            )
        return pair._replace(columns=fitting)

    def _window(self, pair: Pair, name: str) -> _Window:
        before, after = _ranked_values(pair, name)
        ranked = np.sort(after[~np.isnan(after)])
        if not len(ranked):
            return _Window(np.full(len(after), -np.inf), np.full(len(after), np.inf), after, 0.0)
        first, last = _ranks(before, ranked)
        if self.range_share is None:
            own_first, own_last = _ranks(after, ranked)
            moved = np.maximum(own_first - last, first - own_last)
            present = ~(np.isnan(before) | np.isnan(after))
            reach = int(moved[present].max(initial=0))
        else:
            reach = max(int(self.range_share * len(ranked) + 1e-9), 1)
        low = ranked[np.clip(first - reach, 0, len(ranked) - 1)]
        high = ranked[np.clip(last + reach, 0, len(ranked) - 1)]
        # A value beyond all released ones: those at the end are still in range.
        unknown = np.isnan(before)
        low, high = np.where(unknown, -np.inf, low), np.where(unknown, np.inf, high)
        return _Window(low, high, after, reach / len(ranked))


class _Left(NamedTuple):
    """Candidates that the ranges of some columns leave to each original."""

    counts: Floats
    n_own: Floats
    """How many of them are its owner's."""

    @property
    def found(self) -> Floats:
        """Probability of picking the right one."""
        return np.asarray(self.n_own / np.maximum(self.counts, 1))

    @classmethod
    def by(cls, pair: Pair, windows: Mapping[str, _Window], columns: Sequence[str]) -> _Left:
        """Count the released records in each original's box."""
        from microveil.kernels.linkage.link_bounds import Candidates
        from microveil.kernels.neighbours.count_in_boxes import count_in_boxes

        n = pair.n_records
        low, high, after = (
            np.column_stack([getattr(windows[name], field) for name in columns])
            if columns
            else np.zeros((n, 0))
            for field in ("low", "high", "after")
        )
        groups = grouped_people(after, pair.people)
        counts = count_in_boxes(low, high, Candidates(groups.points, groups.sizes))
        own = np.zeros(n)
        for couples in own_rows(pair.owners, groups):
            cells = after[couples.own]
            out = (cells < low[couples.asking]) | (cells > high[couples.asking])
            own[couples.rows] = np.add.reduceat(~out.any(axis=1), couples.first, dtype=np.float64)
        return cls(np.asarray(counts, dtype=np.float64), own)


class _Window(NamedTuple):
    low: Floats
    high: Floats
    after: Floats
    share: float


def _ranks(values: Floats, ranked: Floats) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """First and last rank of each value; the adjacent ranks for a value that was not released."""
    first = np.searchsorted(ranked, values, side="left")
    last = np.searchsorted(ranked, values, side="right") - 1
    return np.minimum(first, last), np.maximum(first, last)


def _has_ranks(pair: Pair, name: str) -> bool:
    before, after = pair.before.frame[name].dtype, pair.after.frame[name].dtype
    return pair.has_numbers(name) or (isinstance(before, pl.Enum) and before == after)


def _ranked_values(pair: Pair, name: str) -> tuple[Floats, Floats]:
    before, after = pair.before.frame[name], pair.after.frame[name]
    if isinstance(before.dtype, pl.Enum):
        return numbers_of(before.to_physical()), numbers_of(after.to_physical())
    return pair.numbers(name)
