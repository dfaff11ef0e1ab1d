"""Decode a release into original values: each label becomes one of the values it covers."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import polars as pl

from microveil.arrays import Floats, Longs
from microveil.labels.covering import Covering, covering
from microveil.labels.notation import midpoints
from microveil.tables import Table
from microveil.tables.kinds import is_number
from microveil.tables.row_sorting import content_order
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
    are reproducible: it depends neither on the order of the rows nor on how labels are written.
    """
    rng = np.random.default_rng(DRAW)
    found = {
        name: _cover(
            original.frame[name],
            released.frame[name],
            None if beside is None else beside.frame[name],
            (covers or {}).get(name),
        )
        for name in columns
    }
    order = _draw_order(released, found, None if beside is None else beside.frame.select(columns))
    return pl.DataFrame(
        [
            released.frame[name]
            if cover is None
            else _decode_column(
                original.frame[name], released.frame[name], cover, _draws(order, rng)
            )
            for name, cover in found.items()
        ]
    )


def _cover(
    before: pl.Series, after: pl.Series, paired: pl.Series | None, read: Covering | None
) -> Covering | None:
    """What the labels of a column cover; None if it shows values."""
    if read is not None:
        return read
    if is_number(before.dtype) and is_number(after.dtype):
        return None
    if plain(before).dtype == plain(after).dtype and _same_values(before, after):
        return None
    return covering(before, after, paired=paired, strangers=True)


def _draw_order(
    released: Table, found: Mapping[str, Covering | None], beside: pl.DataFrame | None
) -> Longs:
    """The rows in the order of what their labels stand for, and equal ones of what they were.

    Not the other way round: rows that were shuffled are beside others' originals.
    """
    if not any(cover is not None for cover in found.values()):
        return np.arange(released.height)
    shown = [
        released.frame[name] if cover is None else pl.Series(name, _standing(cover))
        for name, cover in found.items()
    ]
    return content_order(pl.DataFrame(shown), *([] if beside is None else [beside]))


def _standing(cover: Covering) -> Longs:
    """Position of each record's label among all, by the values it covers, then by its text."""
    n_labels = len(cover.labels.values)
    first = np.full(n_labels, cover.n_values, dtype=np.int64)
    np.minimum.at(first, cover.label, cover.low)
    last = np.zeros(n_labels, dtype=np.int64)
    np.maximum.at(last, cover.label, cover.high)
    text = as_text(cover.labels.values).rank("ordinal").fill_null(0).to_numpy()
    place = np.empty(n_labels, dtype=np.int64)
    place[np.lexsort((text, cover.sizes, last, first))] = np.arange(n_labels)
    return np.append(place, n_labels)[cover.labels.of_record]


def _draws(order: Longs, rng: np.random.Generator) -> Floats:
    """A number between 0 and 1 for each row, drawn in this order."""
    drawn = np.empty(len(order))
    drawn[order] = rng.random(len(order))
    return drawn


def _decode_column(
    before: pl.Series, after: pl.Series, cover: Covering, draws: Floats
) -> pl.Series:
    place = _draw_values(cover, draws)
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


def _draw_values(cover: Covering, draws: Floats) -> Longs:
    """A value covered by each record's label; −1 if it covers none, or all."""
    sizes = np.append(np.where(cover.stars, 0, cover.sizes), 0)[cover.labels.of_record]
    lengths = cover.high - cover.low
    ends = np.cumsum(lengths)
    first_run = np.searchsorted(cover.label, np.arange(len(cover.sizes) + 1))
    starts = np.append(0, ends)[np.minimum(first_run, len(ends))]
    # Labels with a single value draw nothing, so that they do not depend on other labels.
    offset = np.floor(draws * sizes).astype(np.int64)
    target = starts[cover.labels.of_record] + offset
    run = np.searchsorted(ends, target, side="right")
    run = np.minimum(run, max(len(ends) - 1, 0))
    if not len(ends):
        return np.full(len(sizes), -1, dtype=np.int64)
    value = cover.low[run] + target - (ends - lengths)[run]
    return np.where(sizes > 0, value, -1)
