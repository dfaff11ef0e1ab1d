"""Revealing columns: released columns that determine an original quasi-identifier."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import numpy as np
import polars as pl

from microveil.release.deriving.hidden_key import HiddenKey
from microveil.tables import Table
from microveil.texts import Message

SAMPLE = 20_000
"""Rows by which a pair of columns is judged first; only pairs that pass are counted in full."""
SHARE = 0.95
"""A column reveals a key if a shared value determines it for this share of the records."""
CHANCE = 0.01
"""Probability at which an association may be due to chance and still be warned about."""


def warnings_of(
    original: Table,
    released: Table,
    columns: Sequence[str],
    known: Collection[tuple[str, str]] = (),
) -> tuple[str, ...]:
    """A sentence for each released column that reveals protected keys.

    A key is protected where its released cells changed, or if it is not released. A column
    reveals it if (nearly) each of its values occurs with only one value of the original key: an
    average by postcode, or a code that maps one to one to the town. Pairs of column and key that
    are ``known`` were told of already.
    """
    found: dict[str, dict[str, float]] = {}
    for name, key, share in find_revealing(original, released, columns):
        if (name, key) not in known:
            found.setdefault(name, {})[key] = share
    return tuple(
        Message(
            "release.column_reveals_original_values",
            "Column '{name}' reveals the original values of column {keys:quoted}: for {share:%} "
            "of the records, everybody with the same '{name}' has the same {keys:quoted}. "
            "Protect '{name}' as you protect {keys:quoted}, or drop it.",
            name=name,
            keys=list(keys),
            share=min(keys.values()),
        )
        for name, keys in found.items()
    )


def find_revealing(
    original: Table, released: Table, columns: Sequence[str]
) -> Iterator[tuple[str, str, float]]:
    """Released column, original key, and the share of records for which one reveals the other."""
    if released.rows is None and released.height != original.height:
        return
    keys = {key: None for some in original.roles.key_sets().values() for key in some}
    if not keys:
        return
    before = original.frame.select(list(keys))
    before = before if released.rows is None else before[released.rows]
    for key in keys:
        there = key in released.columns
        after = released.frame[key] if there else before[key].clear(n=before.height)
        hidden = HiddenKey.of(key, before[key], after)
        if hidden is None:
            continue
        for name in columns:
            if name not in released.columns or name == key:
                continue
            # Where the column is missing along with the key, it says nothing about it.
            if (hidden.hidden & released.frame[name].is_not_null()).any():
                share = told_share(released.frame[name], before[key])
                if share >= SHARE:
                    yield name, key, share


def told_share(column: pl.Series, key: pl.Series) -> float:
    """Share of records whose value of a column occurs with only one value of the key.

    Values held by a single record reveal nothing by themselves, so they do not count; nor do
    missing cells, or associations that unrelated columns would show by chance.

    >>> towns = pl.Series([1] * 5 + [2] * 5)
    >>> told_share(pl.Series(["a"] * 5 + ["b"] * 5), towns), told_share(pl.Series(range(10)), towns)
    (1.0, 0.0)
    """
    if not _comparable(column) or not _comparable(key):
        return 0.0
    if len(column) > 2 * SAMPLE and not _told_in_samples(column, key):
        return 0.0
    return _revealed_share(column, key, alone=False)


def _told_in_samples(column: pl.Series, key: pl.Series) -> bool:
    """Whether two samples leave it possible: one of rows, one of values with all their rows."""
    n_rows = len(column)
    places = np.random.default_rng(n_rows).choice(n_rows, SAMPLE, replace=False)
    if _revealed_share(column[places], key[places], alone=True) < SHARE:
        return False
    values = (column.hash(n_rows) % (n_rows // SAMPLE) == 0).arg_true()
    enough = SAMPLE // 2 < len(values) < SAMPLE * 2  # few values are not sampled evenly
    some = column[values], key[values]
    return not enough or _revealed_share(*some, alone=False) >= SHARE / 2


def _revealed_share(column: pl.Series, key: pl.Series, *, alone: bool) -> float:
    """The share; in a sample, values of one record ``alone`` may be shared in the whole table."""
    if not len(column):
        return 0.0
    pairs = pl.DataFrame([column.alias("value"), key.alias("key")])
    counts = pairs.group_by("value", "key").len()
    groups = counts.group_by("value").agg(
        pl.len().alias("n_keys"), pl.col("len").sum().alias("n_rows")
    )
    telling = pl.col("n_keys") == 1
    if not alone:
        telling &= (pl.col("n_rows") > 1) & pl.col("value").is_not_null()
    told = groups.filter(telling)
    n_told = int(told["n_rows"].sum() or 0)
    if not alone and _by_luck(n_told - told.height, key):
        return 0.0
    return n_told / len(column)


def _by_luck(n_repeats: int, key: pl.Series) -> bool:
    """Whether the keys of unrelated columns would agree this often by chance."""
    shares = key.value_counts()["count"].to_numpy() / max(len(key), 1)
    alike = float((shares**2).sum())
    return alike >= 1 or n_repeats * np.log(alike) > np.log(CHANCE)


def _comparable(column: pl.Series) -> bool:
    return not column.dtype.is_nested() and column.dtype not in (pl.Object, pl.Binary)
