"""Identity disclosure: re-identification by maximum-likelihood matching (Fuller 1993)."""

from __future__ import annotations

from functools import partial
from typing import ClassVar, Literal

import numpy as np

from microveil.arrays import Floats
from microveil.measures.base import RiskMeasure
from microveil.pairs.known_columns import numbers_of_pair, paired_reading, reading_of
from microveil.pairs.reading import Reading
from microveil.risk.linkage.compared import number_comparison
from microveil.risk.linkage.linear_relations import own_predictions, predictions
from microveil.risk.linkage.linking import chance, nearest_credits
from microveil.risk.linkage.number_links import worst_links
from microveil.scores import Score
from microveil.tables import Table
from microveil.tables.roles import Columns

BLOCK = 40_000
"""Distances that are held at a time: they stay in the cache."""
PAIRS = 50_000_000
"""Pairs of records whose likelihood is computed for mean_probability."""
FLOOR = 1e-12
"""Smallest share of a column's variance assumed for the masking."""


class IdentityDisclosure(RiskMeasure):
    """Share of records re-identified when each original is matched to the likeliest release.

    Original and release are modelled as jointly normal. Given an original x, the likelihood of a
    released record y falls with (y − E[y|x])ᵀ A⁻¹ (y − E[y|x]), where A is the covariance added by
    the masking; the intruder picks the largest (Fuller 1993; Muralidhar & Sarathy). The dependence
    of y on x is learnt from the other records, so that a small table shows no spurious risk. A tie
    among t records counts 1/t. ``parts`` has ``mean_probability``, the average posterior
    probability of the true record (over a sample of originals in large tables).

    Only complete records count; the others are not re-identified. Time is as for distance-based
    linkage.

    >>> frame = {"x": [1.0, 2.0, 4.0, 8.0], "y": [1.0, 0.0, 1.0, 0.0]}
    >>> IdentityDisclosure().measure(frame, frame).value
    1.0
    """

    question: ClassVar[str] = "Can records be linked to people?"
    title: ClassVar[str] = "Records linked by likelihood"
    name: Literal["identity_disclosure"] = "identity_disclosure"
    by_scenario: ClassVar[bool] = True
    known_field: ClassVar[str] = "columns"
    needs_original: ClassVar[bool] = True
    needs_alignment: ClassVar[bool] = True
    needs_numbers: ClassVar[bool] = True
    most_cells: ClassVar[int | None] = 5_000_000
    columns: Columns = ()
    """Columns the intruder knows; by default all that are numeric before and after."""
    each: bool = False
    """Whether a released value depends on its own original alone, with the relation learnt from all
    records: the interpretation that reproduces the shares of the Tartu slides."""
    worst_columns: bool = True
    """Whether the intruder may leave columns out, as in record linkage: the score is the highest
    that was found."""

    def score(self, original: Table | None, table: Table) -> Score:
        """Match, and count correct matches."""
        return self.score_reading(reading_of(original, table))

    def score_reading(self, reading: Reading) -> Score:
        """Match by all columns and by those by which most is found."""
        pair = paired_reading(reading, self.columns)
        numbers = numbers_of_pair(pair, self.columns)
        change = partial(_whiten, each=self.each)
        best = worst_links(pair, numbers, change, worst=self.worst_columns)
        keep = numbers.present
        parts = {
            "n_records": reading.released.height,
            "n_complete": int(keep[pair.alike.of_row].sum()),
            "chance": chance(pair.owners, pair.people),
            "mean_probability": _mean_probability(
                *change(numbers.before[keep], numbers.after[keep])
            ),
            "n_columns": len(numbers.columns),
            "columns": list(best.columns),
        }
        records = best.found[pair.alike.of_row]
        return Score(measure=self.kind(), value=best.value, parts=parts, records=records)


def likeliest_credits(before: Floats, after: Floats, *, each: bool = False) -> Floats:
    """Credit of each record for being the likeliest match of its original, row by row."""
    queries, records = _whiten(before, after, each=each)
    return nearest_credits(number_comparison(queries, records), np.arange(len(before)))


def _whiten(before: Floats, after: Floats, *, each: bool) -> tuple[Floats, Floats]:
    """Expected and released records, rotated so that likelihood falls with squared distance."""
    if not len(before) or not before.shape[1]:
        return np.zeros((len(before), 0)), np.zeros((len(after), 0))
    spread = after.std(axis=0)
    varying = spread > 0
    after = (after[:, varying] - after[:, varying].mean(axis=0)) / spread[varying]
    same = before[:, varying]
    same = (same - same.mean(axis=0)) / spread[varying]
    expected = own_predictions(same, after) if each else predictions(before, after, same)
    added = after - expected
    variances, axes = np.linalg.eigh(added.T @ added / max(len(after), 1))
    turn = axes / np.sqrt(np.maximum(variances, FLOOR))
    return np.asarray(expected @ turn), np.asarray(after @ turn)


def _mean_probability(queries: Floats, records: Floats) -> float:
    """Posterior probability of the true record, averaged over evenly spaced originals."""
    n = len(queries)
    if not n:
        return 0.0
    order = np.lexsort(queries.T[::-1]) if queries.size else np.arange(n)
    chosen = order[np.linspace(0, n - 1, max(min(n, PAIRS // n), 1)).astype(np.int64)]
    total, size = 0.0, max(BLOCK // n, 1)
    columns = np.ascontiguousarray(records.T)
    room = np.empty((size, n))
    for start in range(0, len(chosen), size):
        rows = chosen[start : start + size]
        squares = _squared_distances(queries[rows], columns, room[: len(rows)])
        true = ((queries[rows] - records[rows]) ** 2).sum(axis=1)
        least = np.minimum(squares.min(axis=1), true)
        squares -= least[:, None]
        squares *= -0.5
        weights = np.exp(squares, out=squares)
        total += float((np.exp(-0.5 * (true - least)) / weights.sum(axis=1)).sum())
    return min(total / len(chosen), 1.0)


def _squared_distances(queries: Floats, columns: Floats, room: Floats) -> Floats:
    """Squared distances of queries to records that stand column by column; ``room`` is scratch."""
    squares = np.zeros((len(queries), columns.shape[1]))
    for j in range(queries.shape[1]):
        difference = np.subtract(queries[:, j, None], columns[None, j], out=room)
        difference *= difference
        squares += difference
    return squares
