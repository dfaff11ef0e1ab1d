"""Original and released columns in common bins, with labels spread over what they cover.

Numeric columns with more than ``n_bins`` distinct values have bins of about equal frequency in the
original; other values have one bin each; missing cells and stars have a bin of their own. A
released label is spread evenly over the values it covers, as by a reader without other knowledge.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.arrays import Floats
from microveil.labels.covering import Covering, covering
from microveil.labels.notation import midpoints
from microveil.tables.kinds import is_number, numbers_of
from microveil.tables.values import Distinct, plain, rows_of


class Support(NamedTuple):
    """Sorted numbers and the weight of each before and after."""

    points: Floats
    before: Floats
    after: Floats


class Bins(NamedTuple):
    """The records of one column in bins; the last bin is for missing cells."""

    n_bins: int
    before: NDArray[np.integer]
    """Bin of each original record."""
    after: NDArray[np.integer]
    """Atom of each released record: a bin or, from ``n_bins`` on, a label spread over several."""
    spread: Any
    """Share of each atom in each bin, a sparse matrix (atoms, bins)."""
    support: Support | None
    """The numbers behind the bins, if the column is numeric."""


def column_bins(
    original: pl.Series,
    released: pl.Series,
    paired: pl.Series | None,
    n_bins: int,
    weights: tuple[Floats | None, Floats | None] = (None, None),
    read: Covering | None = None,
) -> Bins:
    """Bin a column; ``weights`` are those of the original's and the release's records.

    ``read`` is what its labels cover, if that was read already.
    """
    original, released = _without_nan(original), _without_nan(released)
    if read is None and is_number(original.dtype) and is_number(released.dtype):
        return _number_bins(original, released, n_bins, weights)
    cover = read or covering(original, released, paired=paired, strangers=True)
    if is_number(original.dtype):
        return _label_bins(original, cover, n_bins, weights)
    return _category_bins(original, cover)


def _without_nan(column: pl.Series) -> pl.Series:
    return column.fill_nan(None) if column.dtype.is_float() else plain(column)


def _edges(numbers: Floats, n_bins: int) -> Floats:
    """Upper bounds of the bins: one per number, or of about equal frequency."""
    there = numbers[~np.isnan(numbers)]
    distinct = np.unique(there)
    if len(distinct) <= n_bins:
        return distinct
    return np.unique(np.quantile(there, np.arange(1, n_bins + 1) / n_bins, method="lower"))


def _bin_of(numbers: Floats, edges: Floats) -> NDArray[np.int32]:
    """Bin of each number; numbers above the last bound fall in the last bin, missing after it."""
    place = np.minimum(np.searchsorted(edges, numbers), max(len(edges) - 1, 0))
    return np.where(np.isnan(numbers), max(len(edges), 1), place).astype(np.int32)


def _number_bins(
    original: pl.Series,
    released: pl.Series,
    n_bins: int,
    weights: tuple[Floats | None, Floats | None],
) -> Bins:
    before, after = numbers_of(original), numbers_of(released)
    edges = _edges(before, n_bins)
    n = max(len(edges), 1) + 1
    support = _support([(before, weights[0]), (after, weights[1])])
    return Bins(n, _bin_of(before, edges), _bin_of(after, edges), _identity(n), support)


def _support(sides: list[tuple[Floats, Floats | None]]) -> Support:
    kept = []
    for numbers, weights in sides:
        finite = np.isfinite(numbers)
        weight = np.ones(len(numbers)) if weights is None else weights
        kept.append((numbers[finite], weight[finite]))
    points, place = np.unique(np.concatenate([one for one, _ in kept]), return_inverse=True)
    n_first = len(kept[0][0])
    before: Floats = np.bincount(place[:n_first], kept[0][1], minlength=len(points)).astype(float)
    after: Floats = np.bincount(place[n_first:], kept[1][1], minlength=len(points)).astype(float)
    return Support(points, before, after)


def _label_bins(
    original: pl.Series,
    cover: Covering,
    n_bins: int,
    weights: tuple[Floats | None, Floats | None],
) -> Bins:
    """Labels on numbers: spread over the numbers covered or, if none, at the midpoint."""
    before = numbers_of(original)
    edges = _edges(before, n_bins)
    n = max(len(edges), 1) + 1
    values = numbers_of(cover.values)
    bins = _bin_of(values, edges)
    nowhere = (cover.sizes == 0) & ~cover.stars
    middles = midpoints(cover.labels.values.filter(pl.Series(nowhere)), original)
    if middles is None:
        middles = pl.Series([None] * int(nowhere.sum()), dtype=pl.Float64)
    lone = dict(zip(np.flatnonzero(nowhere), _bin_of(numbers_of(middles), edges), strict=True))
    spread = _spread(cover, bins, n, lone)
    counts = np.bincount(cover.labels.of_record, weights[1], minlength=len(cover.sizes) + 1)[:-1]
    dealt = cover.spread(np.where(cover.stars, 0.0, counts))
    extra = numbers_of(middles)
    support = _support(
        [
            (before, weights[0]),
            (np.concatenate([values, extra]), np.concatenate([dealt, counts[nowhere]])),
        ]
    )
    after, atoms = _atoms(spread, cover.labels.of_record, n)
    return Bins(n, _bin_of(before, edges), after, atoms, support)


def _category_bins(original: pl.Series, cover: Covering) -> Bins:
    """A bin for each value, then for each released value that did not occur before."""
    values = cover.values
    strange = np.flatnonzero((cover.sizes == 0) & ~cover.stars)
    n = len(values) + len(strange) + 1
    distinct = Distinct.of(original)
    place = np.append(rows_of(distinct.values.alias(values.name), values), n - 1)
    lone = {int(label): len(values) + number for number, label in enumerate(strange)}
    spread = _spread(cover, np.arange(len(values)), n, lone)
    before = place[distinct.of_record].astype(np.int32)
    after, atoms = _atoms(spread, cover.labels.of_record, n)
    return Bins(n, before, after, atoms, None)


def _spread(cover: Covering, bin_of_value: Any, n: int, lone: dict[int, Any]) -> Any:
    """Share of each label, and of a missing cell, in each bin, as a sparse matrix."""
    from scipy.sparse import csr_array

    n_labels = len(cover.sizes)
    said = ~cover.stars[cover.label]
    label, low, high = cover.label[said], cover.low[said], cover.high[said]
    lengths = high - low
    # With many numbers, runs of values may be long, so count by bin through cumulative bins.
    ordered = np.asarray(bin_of_value)
    rows, cols, shares = [], [], []
    if len(ordered) and (np.diff(ordered) >= 0).all():
        ends = np.searchsorted(ordered, np.arange(n), side="right")
        starts = np.searchsorted(ordered, np.arange(n), side="left")
        single = ordered[low] == ordered[high - 1]
        rows.append(label[single])
        cols.append(ordered[low[single]])
        shares.append(lengths[single])
        for run in np.flatnonzero(~single):
            touched = np.arange(ordered[low[run]], ordered[high[run] - 1] + 1)
            overlap = np.minimum(ends[touched], high[run]) - np.maximum(starts[touched], low[run])
            rows.append(np.full(len(touched), label[run]))
            cols.append(touched)
            shares.append(overlap)
    silent = np.append(np.flatnonzero(cover.stars), n_labels)
    rows += [silent, np.array(list(lone), dtype=np.int64)]
    cols += [np.full(len(silent), n - 1), np.array(list(lone.values()), dtype=np.int64)]
    shares += [np.ones(len(silent)), np.ones(len(lone))]
    matrix = csr_array(
        (np.concatenate(shares), (np.concatenate(rows), np.concatenate(cols))),
        shape=(n_labels + 1, n),
    )
    matrix.sum_duplicates()
    total = matrix.sum(axis=1)
    matrix.data = matrix.data / np.repeat(total, np.diff(matrix.indptr))
    return matrix


def _atoms(spread: Any, of_record: NDArray[Any], n: int) -> tuple[NDArray[np.int32], Any]:
    """Labels that lie in one bin become that bin; the others remain separate atoms."""
    from scipy.sparse import vstack

    touched = np.diff(spread.indptr)
    atoms = np.full(len(touched), n - 1, dtype=np.int32)
    one = touched == 1
    atoms[one] = spread.indices[spread.indptr[:-1][one]]
    several = np.flatnonzero(touched > 1)
    atoms[several] = n + np.arange(len(several))
    every = vstack([_identity(n), spread[several]]).tocsr() if len(several) else _identity(n)
    return atoms[of_record], every


def _identity(n: int) -> Any:
    from scipy.sparse import eye_array

    return eye_array(n, format="csr")


def coarsen(bins: Bins, most: int) -> Bins:
    """The bins with the rarest merged, so that at most ``most`` and missing remain."""
    if bins.n_bins - 1 <= most:
        return bins
    from scipy.sparse import csr_array

    counts = np.bincount(bins.before, minlength=bins.n_bins)[:-1]
    order = np.argsort(-counts, kind="stable")
    new = np.empty(bins.n_bins, dtype=np.int64)
    new[order] = np.minimum(np.arange(len(order)), most - 1)
    new[-1] = most
    ones, rows = np.ones(bins.n_bins), np.arange(bins.n_bins)
    merge = csr_array((ones, (rows, new)), shape=(bins.n_bins, most + 1))
    after, atoms = _atoms((bins.spread @ merge).tocsr(), bins.after, most + 1)
    return Bins(most + 1, new[bins.before].astype(np.int32), after, atoms, None)


def narrow(bins: Bins) -> Bins:
    """The same bins in as few bytes per record as hold them, without the numbers behind them."""
    kind = np.min_scalar_type(max(bins.spread.shape[0] - 1, 0))
    return bins._replace(
        before=bins.before.astype(kind), after=bins.after.astype(kind), support=None
    )


def pair_tables(
    a: Bins, b: Bins, weights: tuple[Floats | None, Floats | None]
) -> tuple[Floats, Floats]:
    """Counts of bin pairs before and after, with released labels spread over their bins."""
    before = _crosstab(a.before, b.before, a.n_bins, b.n_bins, weights[0])
    atoms = _crosstab(a.after, b.after, a.spread.shape[0], b.spread.shape[0], weights[1])
    after = a.spread.T @ atoms @ b.spread
    return _dense(before), _dense(after)


def _crosstab(
    a: NDArray[np.integer], b: NDArray[np.integer], n_a: int, n_b: int, weights: Floats | None
) -> Any:
    if n_a * n_b <= max(4 * len(a), 65_536):
        packed = a.astype(np.int64) * n_b + b
        return np.bincount(packed, weights, minlength=n_a * n_b).reshape(n_a, n_b)
    from scipy.sparse import coo_array

    ones = np.ones(len(a)) if weights is None else weights
    return coo_array((ones, (a, b)), shape=(n_a, n_b)).tocsr()


def _dense(counts: Any) -> Floats:
    dense: Floats = np.asarray(counts.toarray() if hasattr(counts, "toarray") else counts, float)
    return dense
