"""Decode a release into original values: each label becomes one of the values it covers."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import polars as pl

from microveil.arrays import Longs
from microveil.labels.covering import Covering, covering
from microveil.labels.notation import midpoints
from microveil.tables import Table
from microveil.tables.kinds import is_number
from microveil.tables.values import as_text, plain

DRAW = 76_823_410_957
"""Seed of the draw: no simple number, with which data in examples may have been drawn as well."""


def decode(
    original: Table,
    released: Table,
    columns: tuple[str, ...],
    beside: Table | None,
    covers: Mapping[str, Covering] | None = None,
) -> pl.DataFrame:
    """Replace every label of the release by a value drawn uniformly from those it covers.

    This is what a reader who knows only the label would draw; missing cells and ``*`` become
    missing. ``beside`` holds the original rows in the order of the release, if known, and
    ``covers`` what labels cover where that was read. The draw is always the same, so that scores
    are reproducible.
    """
    rng = np.random.default_rng(DRAW)
    return pl.DataFrame(
        [
            _decode_column(
                original.frame[name],
                released.frame[name],
                None if beside is None else beside.frame[name],
                rng,
                (covers or {}).get(name),
            )
            for name in columns
        ]
    )


def _decode_column(
    before: pl.Series,
    after: pl.Series,
    paired: pl.Series | None,
    rng: np.random.Generator,
    read: Covering | None,
) -> pl.Series:
    if read is None and is_number(before.dtype) and is_number(after.dtype):
        return after
    if read is None and plain(before).dtype == plain(after).dtype and _same_values(before, after):
        return after
    cover = read or covering(before, after, paired=paired, strangers=True)
    place = _draw_values(cover, rng)
    values = cover.values if is_number(before.dtype) else as_text(cover.values)
    drawn = values.gather(pl.Series(place, dtype=pl.Int64).replace(-1, None))
    strange = np.append((cover.sizes == 0) & ~cover.stars, False)[cover.labels.of_record]
    if strange.any():
        own = midpoints(after, before) if is_number(before.dtype) else as_text(after)
        if own is not None:
            kind = pl.Float64 if is_number(before.dtype) else pl.String
            drawn = drawn.to_physical().cast(kind).zip_with(pl.Series(~strange), own.cast(kind))
    return drawn.alias(before.name)


def _same_values(before: pl.Series, after: pl.Series) -> bool:
    """Whether the release shows only values of the original."""
    return bool(plain(after).drop_nulls().unique().is_in(plain(before).unique().implode()).all())


def _draw_values(cover: Covering, rng: np.random.Generator) -> Longs:
    """A value covered by each record's label; −1 if it covers none, or all."""
    sizes = np.append(np.where(cover.stars, 0, cover.sizes), 0)[cover.labels.of_record]
    lengths = cover.high - cover.low
    ends = np.cumsum(lengths)
    first_run = np.searchsorted(cover.label, np.arange(len(cover.sizes) + 1))
    starts = np.append(0, ends)[np.minimum(first_run, len(ends))]
    # Labels with a single value draw nothing, so that they do not depend on other labels.
    offset = np.floor(rng.random(len(sizes)) * sizes).astype(np.int64)
    target = starts[cover.labels.of_record] + offset
    run = np.searchsorted(ends, target, side="right")
    run = np.minimum(run, max(len(ends) - 1, 0))
    if not len(ends):
        return np.full(len(sizes), -1, dtype=np.int64)
    value = cover.low[run] + target - (ends - lengths)[run]
    return np.where(sizes > 0, value, -1)
