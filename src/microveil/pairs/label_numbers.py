"""Labels of numbers and dates as single numbers, for measures that compute with numbers.

An interval counts as its midpoint, which its text tells. Any other label (a node of a tree, a part
of a date, 40 for 40 to 49) counts as the mean of the original values that it stands for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from microveil.labels.describing import describe
from microveil.labels.notation import is_star, midpoints
from microveil.tables.kinds import is_number, numbers_of
from microveil.tables.values import as_text

if TYPE_CHECKING:
    from microveil.arrays import Floats
    from microveil.pairs.columns import Column
    from microveil.pairs.reading import Reading
    from microveil.tables import Table


MARK = "\N{HORIZONTAL ELLIPSIS}"
"""Follows a label that looks like a value."""


def labels_as_numbers(reading: Reading) -> Table:
    """The release with labels of numeric columns as numbers, wherever all of them can be read."""
    changed = []
    for name in reading.common:
        before, after = reading.original.frame[name], reading.released.frame[name]
        if not _needs_reading(reading, before, after):
            continue
        column = reading.column(name)
        # Rounded and censored numbers are numbers; only a hierarchy writes 40 for 40 to 49.
        if column.labelled and (not is_number(after.dtype) or column.followed.tree):
            found = _numbers(column, before)
            if found is not None:
                changed.append(found.alias(name))
    return reading.released.with_columns(changed) if changed else reading.released


def labels_apart(reading: Reading) -> Table:
    """The release with labels that look like values they do not mean written differently.

    40 for 40 to 49 is no unchanged 40. Only hierarchies write such labels.
    """
    changed = []
    for name in reading.common:
        if not reading.recoders(name):
            continue
        column = reading.column(name)
        if not column.labelled or not column.followed.tree:
            continue
        texts = as_text(column.label_texts).cast(pl.String)
        cover = column.cover
        sizes = np.bincount(cover.label, cover.high - cover.low, minlength=len(texts))
        like = texts.is_in(as_text(column.written).cast(pl.String).implode()).to_numpy()
        if not (like & (sizes > 1)).any():
            continue
        told = pl.select(
            pl.when(pl.Series(like & (sizes > 1))).then(texts + MARK).otherwise(texts)
        ).to_series()
        codes = pl.Series(column.codes[1], dtype=pl.Int64)
        changed.append(told.gather(codes.replace(-1, None)).alias(name))
    return reading.released.with_columns(changed) if changed else reading.released


def _needs_reading(reading: Reading, before: pl.Series, after: pl.Series) -> bool:
    """Whether the reading is needed: intervals and numbers speak for themselves."""
    if not is_number(before.dtype) or after.dtype.is_nested() or after.dtype == pl.Object:
        return False
    if reading.recoders(before.name):
        return True
    return not is_number(after.dtype) and midpoints(after, before) is None


def _numbers(column: Column, before: pl.Series) -> pl.Series | None:
    """The number of each released cell; None if a label cannot be read."""
    texts = as_text(column.label_texts).cast(pl.String)
    known = numbers_of(column.written)
    found = _means(column, known)
    cover = column.cover
    sizes = np.bincount(cover.label, cover.high - cover.low, minlength=len(texts))
    plain = texts.cast(pl.Float64, strict=False).is_not_null().to_numpy()
    for label, text in enumerate(texts.to_list()):
        if (plain[label] and sizes[label] > 1) or _means_more(column, text, int(sizes[label])):
            continue
        middle = midpoints(pl.Series([text]), before)
        if middle is not None and middle[0] is not None:
            found[label] = middle[0]
    stars = is_star(texts).to_numpy()
    if np.isnan(found[~stars]).any():
        return None
    numbers = np.append(np.where(stars, np.nan, found), np.nan)[column.codes[1]]
    return pl.Series(numbers).fill_nan(None)


def _means_more(column: Column, text: str, size: int) -> bool:
    """Whether a label stands for other values than it describes, as after two steps."""
    found = describe(text, column.written, as_text(column.written))
    return size > 0 and found is not None and int((found.high - found.low).sum()) != size


def _means(column: Column, known: Floats) -> Floats:
    """Mean of the values that each label stands for; NaN if it stands for none."""
    cover, n_labels = column.cover, len(column.label_texts)
    total = np.append(0.0, np.cumsum(known))
    sums = np.bincount(cover.label, total[cover.high] - total[cover.low], minlength=n_labels)
    sizes = np.bincount(cover.label, cover.high - cover.low, minlength=n_labels)
    return np.where(sizes > 0, sums / np.maximum(sizes, 1), np.nan)
