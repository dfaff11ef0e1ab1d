"""Which values of the original each released label covers.

A label is interpreted by the first of these rules that fits:

1. ``*`` covers every value.
2. With a hierarchy, a label covers the leaves below it, and shares are of the leaves.
3. ``[30, 49]``, ``0-4``, ``≥90``, ``{a, b}`` and ``97***`` (:mod:`microveil.labels.notation`) cover
   the values they describe, unless they are values themselves, or paired rows contradict that
   meaning.
4. If rows are paired and every value always became the same label (global recoding), a label
   covers the values that became it, whatever its text.
5. A label that is a value of the column covers that value, ``2021-03`` all that begin with it.
6. If rows are paired, any other label covers the values it was seen to stand for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.arrays import Floats, Longs
from microveil.errors import ColumnError
from microveil.hierarchies.hierarchy import Hierarchy
from microveil.labels.describing import Described, describe
from microveil.labels.notation import is_noted, is_star
from microveil.tables.values import Distinct, as_text, plain, rows_of

LAST_SIGN = "\U0010ffff"
"""Sorts after any text."""


@dataclass(frozen=True, eq=False)
class Covering:
    """The distinct labels of a released column and the values each covers.

    Values are sorted, so that a label covers one run of them, or a few.
    """

    values: pl.Series
    """The values a label may cover: the distinct values of the original, or the leaves."""
    labels: Distinct
    """The distinct labels of the released column, and the label of each record."""
    stars: NDArray[np.bool_]
    """Labels that carry no information."""
    label: Longs
    """Label of each run, ascending."""
    low: Longs
    """First value of each run."""
    high: Longs
    """End of each run, exclusive."""

    @property
    def n_values(self) -> int:
        """Largest number of values a label could cover."""
        return len(self.values)

    @property
    def sizes(self) -> Longs:
        """Number of values that each label covers."""
        sizes = np.zeros(len(self.labels.values), dtype=np.int64)
        np.add.at(sizes, self.label, self.high - self.low)
        return sizes

    def spread(self, counts: Floats) -> Floats:
        """Distribute each label's amount evenly over the values it covers."""
        each = (counts / np.maximum(self.sizes, 1))[self.label]
        steps = np.zeros(self.n_values + 1)
        np.add.at(steps, self.low, each)
        np.add.at(steps, self.high, -each)
        return np.cumsum(steps)[:-1]


def covering(
    original: pl.Series,
    released: pl.Series,
    *,
    paired: pl.Series | None = None,
    hierarchy: Hierarchy | None = None,
    meant: Covering | None = None,
    strangers: bool = False,
    at_their_word: bool = False,
) -> Covering:
    """Find the values that the labels of a column cover.

    ``paired`` is the original column row by row beside the released one, if known; ``meant`` is
    what the steps say that labels cover, where levels of the hierarchy share a label. Labels that
    cannot be read are an error, or with ``strangers`` become values of their own that cover none of
    the original's. ``at_their_word`` interprets labels as an intruder would: values are those of
    the original, and pairs decide only where the label itself does not. Time grows with the
    records, and with the distinct labels that must be parsed one by one.
    """
    labels = Distinct.of(plain(released))
    leaves = hierarchy is not None and not at_their_word
    values = _sorted_values(hierarchy.values if hierarchy is not None and leaves else original)
    stars = is_star(labels.values).to_numpy()
    runs = Runs(len(labels.values))
    everything = np.flatnonzero(stars)
    runs.add(everything, np.zeros_like(everything), np.full_like(everything, len(values)))
    pairs = None if paired is None else _pairs(paired, labels, values, stars)
    if hierarchy is not None:
        told = [pairs, None if meant is None else _meant_pairs(meant, labels, values)]
        evidence = [] if at_their_word else [one for one in told if one is not None]
        _by_hierarchy(runs, labels.values, values, hierarchy, evidence)
    _by_notation(runs, labels.values, values, None if at_their_word else pairs)
    overruled = pairs is not None and hierarchy is None and not at_their_word
    if pairs is not None and overruled and _is_global(pairs):
        runs.add_members(pairs.label, pairs.value)
    by_value(runs, labels.values, values)
    _by_beginning(runs, labels.values, values, paired=pairs is not None)
    if pairs is not None:
        runs.add_members(pairs.label, pairs.value)
        runs.done[:] = True  # The rest were paired with missing cells only, and cover nothing.
    if not strangers:
        _refuse_unread(runs.unread, labels)
    return runs.to_covering(values, labels, stars)


class Runs:
    """Runs of values found for labels so far; a label that has been read is not read again."""

    def __init__(self, n_labels: int) -> None:
        self.done = np.zeros(n_labels, dtype=np.bool_)
        self._pieces: list[tuple[Longs, Longs, Longs]] = []

    @property
    def unread(self) -> Longs:
        """Labels without a run."""
        return np.flatnonzero(~self.done)

    def add(self, label: Longs, low: Longs, high: Longs) -> None:
        """Add these runs for labels that have none yet."""
        new = ~self.done[label]
        self._pieces.append((label[new], low[new], high[new]))
        self.done[label] = True

    def add_members(self, label: Longs, value: Longs) -> None:
        """Add values for labels that have none yet, joining neighbours into runs."""
        order = np.lexsort((value, label))
        label, value = label[order], value[order]
        if not len(label):
            return
        breaks = (np.diff(label) != 0) | (np.diff(value) != 1)
        starts = np.flatnonzero(np.r_[True, breaks])
        ends = np.r_[starts[1:], len(label)] - 1
        self.add(label[starts], value[starts], value[ends] + 1)

    def in_label_order(self) -> tuple[Longs, Longs, Longs]:
        """Label, first value and end of each run, in the order of the labels."""
        pieces = [np.concatenate(parts) for parts in zip(*self._pieces, strict=True)]
        order = np.lexsort((pieces[1], pieces[0]))
        label, low, high = (piece[order].astype(np.int64) for piece in pieces)
        return label, low, high

    def covered_values(self, n_values: int, but: Longs) -> NDArray[np.bool_]:
        """Values that a label stands for, other than these labels."""
        label, low, high = self.in_label_order()
        counted = ~np.isin(label, but)
        steps = np.zeros(n_values + 1, dtype=np.int64)
        np.add.at(steps, low[counted], 1)
        np.add.at(steps, high[counted], -1)
        return np.cumsum(steps)[:-1] > 0

    def to_covering(
        self, values: pl.Series, labels: Distinct, stars: NDArray[np.bool_]
    ) -> Covering:
        """The runs beside what they are about."""
        return Covering(values, labels, stars, *self.in_label_order())


class _Pairs(NamedTuple):
    """Each value with each label it became, without repetition."""

    value: Longs
    label: Longs


def _sorted_values(column: pl.Series) -> pl.Series:
    return plain(column).drop_nulls().unique().sort()


def _by_hierarchy(
    runs: Runs,
    labels: pl.Series,
    values: pl.Series,
    hierarchy: Hierarchy,
    evidence: Sequence[_Pairs],
) -> None:
    """The leaves under each label, at the finest level that contains it and fits the evidence.

    The label of a decade may be 20, as is one of its leaves; pairs then decide which is meant, or
    else the steps. If these fit no level, because values were also changed in other ways, the
    finest level is used.
    """
    place = rows_of(hierarchy.values, values).astype(np.int64)
    nodes = []
    for level in range(hierarchy.n_levels):
        codes = rows_of(labels.alias(values.name), hierarchy.labels(level))
        label_of = np.full(hierarchy.n_labels[level], -1, dtype=np.int64)
        label_of[codes[codes >= 0]] = np.flatnonzero(codes >= 0)
        nodes.append(label_of[hierarchy.codes[:, level]])
    leaf = np.full(len(values), -1, dtype=np.int64)
    leaf[place[place >= 0]] = np.flatnonzero(place >= 0)
    for pairs in evidence:
        for of_leaf in nodes:
            agrees = of_leaf[leaf[pairs.value]] == pairs.label
            wrong = np.unique(pairs.label[~agrees])
            kept = np.isin(of_leaf, np.setdiff1d(pairs.label, wrong)) & (place >= 0)
            runs.add_members(of_leaf[kept], place[kept])
    for of_leaf in nodes:
        there = (of_leaf >= 0) & (place >= 0)
        runs.add_members(of_leaf[there], place[there])


def _pairs(
    paired: pl.Series, labels: Distinct, values: pl.Series, stars: NDArray[np.bool_]
) -> _Pairs:
    """Each value with each label it became, without cells that carry no information."""
    before = Distinct.of(plain(paired))
    place = rows_of(before.values.alias(values.name), values)
    numbers = np.append(place, -1)[before.of_record]
    silent = np.append(stars, True)[labels.of_record]
    keep = (numbers >= 0) & ~silent
    packed = numbers[keep].astype(np.int64) * (len(stars) + 1) + labels.of_record[keep]
    distinct = pl.Series(packed).unique().to_numpy()
    return _Pairs(*np.divmod(distinct, len(stars) + 1))


def _meant_pairs(meant: Covering, labels: Distinct, values: pl.Series) -> _Pairs:
    """Each value with the label that the steps give it, without labels that say nothing."""
    there = ~meant.stars[meant.label]
    label, low, high = meant.label[there], meant.low[there], meant.high[there]
    place = rows_of(meant.values.alias(values.name), values).astype(np.int64)
    of_label = rows_of(meant.labels.values, labels.values.alias(meant.labels.values.name))
    members = [np.arange(first, end) for first, end in zip(low, high, strict=True)]
    value = place[np.concatenate([np.zeros(0, dtype=np.int64), *members])]
    named = of_label.astype(np.int64)[np.repeat(label, high - low)]
    known = (value >= 0) & (named >= 0)
    return _Pairs(value[known], named[known])


def _is_global(pairs: _Pairs) -> bool:
    """Whether every value always became the same label."""
    return pl.Series(pairs.value).n_unique() == len(pairs.value)


def by_value(runs: Runs, labels: pl.Series, values: pl.Series) -> None:
    """Labels that are values."""
    rows = rows_of(labels.alias(values.name), values).astype(np.int64)
    known = np.flatnonzero(rows >= 0)
    runs.add(known, rows[known], rows[known] + 1)


def _by_notation(runs: Runs, labels: pl.Series, values: pl.Series, pairs: _Pairs | None) -> None:
    """Intervals, sets and masks, unless the pairs contradict them."""
    if labels.dtype != pl.String:
        return
    text = as_text(values)
    themselves = rows_of(labels.alias(values.name), values) >= 0
    noted = is_noted(labels)
    limits = None if pairs is None else _limits(pairs, len(labels))
    for label in np.flatnonzero(noted.to_numpy() & ~themselves & ~runs.done):
        found = describe(labels[int(label)], values, text)
        if found is None or (limits is not None and not _holds(found, limits, int(label), pairs)):
            continue
        runs.add(np.full(len(found.low), label), found.low, found.high)
        runs.done[label] = True


def _by_beginning(runs: Runs, labels: pl.Series, values: pl.Series, *, paired: bool) -> None:
    """Labels that are prefixes of values, and numbers that nobody had."""
    unread = runs.unread
    if values.dtype.is_numeric():
        # A number that nobody had: the pairs show what became it; without them it covers nothing.
        number = labels.gather(unread).cast(pl.Float64, strict=False).is_not_null().to_numpy()
        runs.done[unread[number]] |= not paired
        unread = unread[~number]
    text = as_text(values)
    order = text.arg_sort().to_numpy().astype(np.int64)
    ordered = text.gather(order)
    for label, written in zip(unread, as_text(labels.gather(unread)).to_list(), strict=True):
        # Texts with a common prefix are neighbours in sorted order, starting at the prefix itself.
        first = ordered.search_sorted(written, side="left")
        last = ordered.search_sorted(written + LAST_SIGN, side="right")
        if written and first < last:
            hits = np.sort(order[first:last])
            runs.add_members(np.full(len(hits), label), hits)


def _limits(pairs: _Pairs, n_labels: int) -> tuple[Longs, Longs]:
    """First and last value that each label was seen to stand for."""
    first, last = np.full(n_labels, np.iinfo(np.int64).max), np.full(n_labels, -1)
    np.minimum.at(first, pairs.label, pairs.value)
    np.maximum.at(last, pairs.label, pairs.value)
    return first, last


def _holds(found: Described, limits: tuple[Longs, Longs], label: int, pairs: _Pairs | None) -> bool:
    """Whether a label was seen to stand only for values it covers."""
    first, last = limits[0][label], limits[1][label]
    if last < 0:
        return True
    if len(found.low) == 1:
        return bool(found.low[0] <= first and last < found.high[0])
    seen = pairs.value[pairs.label == label] if pairs is not None else np.zeros(0, np.int64)
    run = np.searchsorted(found.low, seen, side="right") - 1
    return bool(len(found.low)) and bool(((run >= 0) & (seen < found.high[run])).all())


def _refuse_unread(unread: Longs, labels: Distinct) -> None:
    if len(unread):
        raise ColumnError(
            "Column '{name}': {n_unread} of {n_values} labels cannot be read, and rows are "
            "not paired. Give the column's hierarchy, or measure the Release.",
            name=labels.name,
            n_unread=len(unread),
            n_values=len(labels.values),
        )
