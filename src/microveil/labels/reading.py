"""The original values that each label of a release stands for, as an intruder reads it.

A label is read by the first of these rules that fits:

1. ``*`` stands for every value.
2. Where it is known how the column was recoded (by the steps of the recipe, or a hierarchy), a
   label stands for the values that became it. If several levels have the label, that level is
   meant whose labels occur as often as in the release.
3. ``[30, 49]``, ``0-4``, ``≥90``, ``{a, b}`` and ``97***`` (:mod:`microveil.labels.notation`) stand
   for the values they describe, unless they are values themselves. The members of a set may be
   labels of an earlier step.
4. A label that is a value stands for that value.
5. A label of a date (``2021-Q1``, ``Monday``, ``03/2021``) stands for the dates it names, and
   ``2021-03`` or ``C34`` for all values that begin with it.
6. A number that nobody had stands for itself alone. If one label is left, and as many records have
   it as have values that no other label stands for, it stands for these (``other``). Any further
   label is nobody's, unless paired rows show what it stands for (``Column.labels``).

Rules 1 to 6 depend on what the tables contain, never on the order of their rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import polars as pl

from microveil.arrays import Floats, Longs
from microveil.errors import MicroveilError
from microveil.hierarchies.dates import Dates, Step
from microveil.hierarchies.type_based import Types
from microveil.labels.chances import Cover
from microveil.labels.covering import LAST_SIGN, Runs, by_value
from microveil.labels.describing import Described, describe
from microveil.labels.notation import is_noted, is_star, read_set
from microveil.labels.periods import read_period
from microveil.tables.values import as_text, rows_of

_DATE_STEPS: tuple[Step, ...] = (
    "week",
    "month",
    "quarter",
    "year_season",
    "year",
    "decade",
    "season",
    "weekday",
)


class Counted(NamedTuple):
    """Distinct values or labels, and how many records have each."""

    values: pl.Series
    counts: Longs


def read_labels(before: Counted, after: Counted, ways: Sequence[pl.Series] = ()) -> Cover:
    """The values that each label stands for, as runs of the sorted values ``before``.

    ``ways`` has what each value may have become (:mod:`microveil.labels.recoding`), ``after`` the
    labels as text. Time grows with the distinct values times the ways, and with the labels that
    must be parsed one by one.
    """
    values, labels = before.values, after.values
    runs = Runs(len(labels))
    stars = np.flatnonzero(is_star(labels).to_numpy())
    runs.add(stars, np.zeros_like(stars), np.full_like(stars, len(values)))
    _by_ways(runs, ways, before, after)
    _by_notation(runs, labels, values, _Lookup(ways))
    by_value(runs, labels, values)
    if len(runs.unread):
        _by_dates(runs, before, after)
        _by_beginning(runs, labels, values)
        _by_elimination(runs, before.counts, after.counts, stars)
    return Cover(len(values), *runs.in_label_order())


def _by_ways(runs: Runs, ways: Sequence[pl.Series], before: Counted, after: Counted) -> None:
    """What became each label, at the level that explains the release."""
    if not ways or not len(runs.unread):
        return
    of_value = [rows_of(way.alias("x"), after.values.alias("x")).astype(np.int64) for way in ways]
    asked = runs.unread
    n_labels = len(runs.done)
    amounts = [
        np.bincount(one[one >= 0], before.counts[one >= 0], n_labels).astype(np.float64)
        for one in of_value
    ]
    there = np.array([np.isin(asked, one) for one in of_value])
    whole = np.flatnonzero(there.all(axis=1))
    if len(whole):
        best = whole[0] if len(whole) == 1 else _best(whole, amounts, before, after, asked)
        _add(runs, of_value[best])
        return
    for label in asked[there.any(axis=0)]:
        fitting = [k for k, one in enumerate(amounts) if one[label] > 0 or label in of_value[k]]
        enough = [k for k in fitting if amounts[k][label] >= after.counts[label]]
        members = np.flatnonzero(of_value[(enough or fitting[-1:])[0]] == label)
        runs.add_members(np.full(len(members), label), members)


def _best(
    whole: Longs, amounts: list[Floats], before: Counted, after: Counted, asked: Longs
) -> int:
    """The level whose labels are as frequent as those of the release; the finest of equals.

    Originals that a level leaves without a label of the release count against it.
    """
    n_before = max(int(before.counts.sum()), 1)
    shares = after.counts[asked] / max(int(after.counts.sum()), 1)
    apart = []
    for k in whole:
        expected = amounts[k][asked] / n_before
        apart.append(np.abs(expected - shares).sum() + 1 - expected.sum())
    # Rounding must not decide between levels that say the same.
    return int(whole[int(np.argmin(np.round(apart, 9)))])


def _add(runs: Runs, of_value: Longs) -> None:
    members = np.flatnonzero(of_value >= 0)
    runs.add_members(of_value[members], members)


class _Lookup:
    """The values behind a label of an earlier step; made when a set first needs it."""

    def __init__(self, ways: Sequence[pl.Series]) -> None:
        self._ways = ways
        self._found: dict[str, Longs] | None = None

    def values_of(self, label: str) -> Longs | None:
        if self._found is None:
            self._found = {}
            for way in reversed(self._ways):
                frame = pl.DataFrame({"label": way}).with_row_index("place")
                groups = frame.group_by("label", maintain_order=True).agg("place")
                pairs = zip(groups["label"], groups["place"], strict=True)
                self._found |= {one: places.to_numpy().astype(np.int64) for one, places in pairs}
        return self._found.get(label)


def _by_notation(runs: Runs, labels: pl.Series, values: pl.Series, lookup: _Lookup) -> None:
    """Intervals, sets and masks."""
    text = as_text(values)
    themselves = rows_of(labels.alias(values.name), values) >= 0
    todo = np.flatnonzero(is_noted(labels).to_numpy() & ~themselves & ~runs.done)
    sets = {int(label): read_set(labels[int(label)]) for label in todo}
    rows = _rows_of_names([names for names in sets.values() if names is not None], text)
    for label, names in sets.items():
        if names is None:
            found = describe(labels[label], values, text)
        else:
            found = _describe_set(names, rows, values, text, lookup)
        if found is not None:
            runs.add(np.full(len(found.low), label), found.low, found.high)
            runs.done[label] = True


def _rows_of_names(sets: Sequence[Sequence[str]], text: pl.Series) -> dict[str, int]:
    """Position among the values of each name in some set, −1 if it is none; looked up at once."""
    names = list(dict.fromkeys(name for one in sets for name in one))
    if not names:
        return {}
    rows = rows_of(pl.Series(text.name, names, dtype=pl.String), text)
    return dict(zip(names, rows.tolist(), strict=True))


def _describe_set(
    names: Sequence[str],
    rows: Mapping[str, int],
    values: pl.Series,
    text: pl.Series,
    lookup: _Lookup,
) -> Described | None:
    found = [np.array([rows[name] for name in names if rows[name] >= 0], dtype=np.int64)]
    for name in names:
        if rows[name] >= 0 or not name:
            continue
        earlier = lookup.values_of(name)
        inner = describe(name, values, text) if earlier is None else Described.of(earlier)
        if inner is not None:
            pairs = zip(inner.low, inner.high, strict=True)
            found += [np.arange(low, high) for low, high in pairs]
    members = np.unique(np.concatenate(found))
    return Described.of(members) if len(members) else None


def _by_dates(runs: Runs, before: Counted, after: Counted) -> None:
    """Labels of dates as hierarchies write them, and intervals of such labels."""
    days = _as_dates(before.values)
    if days is None:
        return
    _by_ways(runs, date_parts(days), before, after)
    starts = days.cast(pl.Datetime("us")).to_physical().to_numpy() / 1e6
    for label in runs.unread:
        period = read_period(after.values[int(label)])
        if period is None:
            continue
        members = np.flatnonzero((starts >= period.start) & (starts < period.end))
        runs.add_members(np.full(len(members), label), members)
        runs.done[label] = True


def _as_dates(values: pl.Series) -> pl.Series | None:
    """Values as dates or moments; None if they are none."""
    if values.dtype == pl.Date:
        return values
    if isinstance(values.dtype, pl.Datetime):
        return values.dt.replace_time_zone(None)
    if values.dtype != pl.String or not len(values):
        return None
    days = values.str.to_date("%Y-%m-%d", strict=False)
    return None if days.null_count() else days


def date_parts(days: pl.Series) -> list[pl.Series]:
    """The labels of dates at every level that the builders have."""
    found = [Dates(levels=(step,)).build(days).frame[step] for step in _DATE_STEPS]
    try:
        levels = Types(type="date").build(days).frame.get_columns()[1:-1]
    except MicroveilError:
        levels = []
    return [*found, *levels]


def _by_beginning(runs: Runs, labels: pl.Series, values: pl.Series) -> None:
    """Labels that are prefixes of values; numbers that nobody had stand for no value."""
    unread = runs.unread
    if values.dtype.is_numeric():
        numbers = labels.gather(unread).cast(pl.Float64, strict=False)
        there = numbers.is_not_null().to_numpy()
        # 2.0 is the value 2, however it is written.
        known, wanted = values.cast(pl.Float64).to_numpy(), numbers.fill_null(0.0).to_numpy()
        place = np.minimum(np.searchsorted(known, wanted), max(len(known) - 1, 0))
        same = there & (known[place] == wanted) if len(known) else there & False
        runs.add(unread[same], place[same], place[same] + 1)
        runs.done[unread[there]] = True
        unread = unread[~there]
    text = as_text(values)
    order = text.arg_sort().to_numpy().astype(np.int64)
    ordered = text.gather(order)
    for label, written in zip(unread, labels.gather(unread).to_list(), strict=True):
        # Texts with a common prefix are neighbours in sorted order, starting at the prefix itself.
        first = ordered.search_sorted(written, side="left")
        last = ordered.search_sorted(written + LAST_SIGN, side="right")
        if written and first < last:
            hits = np.sort(order[first:last])
            runs.add_members(np.full(len(hits), label), hits)


def _by_elimination(runs: Runs, counts: Longs, label_counts: Longs, stars: Longs) -> None:
    """One label that is left stands for the values that are left, if the records agree."""
    unread = runs.unread
    if len(unread) != 1:
        return
    left = np.flatnonzero(~runs.covered_values(len(counts), stars))
    n_left, n_shown = int(counts[left].sum()), int(label_counts[unread[0]])
    n_removed = int(counts.sum() - label_counts.sum())
    # A single value under another name is a new name, which nobody can read.
    if len(left) > 1 and n_left - max(n_removed, 0) <= n_shown <= n_left:
        runs.add_members(np.full(len(left), unread[0]), left)
