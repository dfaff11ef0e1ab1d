"""What the labels of a release cover, as the recipe or hierarchies that made them tell."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import polars as pl

from microveil.labels.covering import Covering
from microveil.labels.notation import is_star
from microveil.pairs.columns import Column
from microveil.pairs.reading import Reading
from microveil.tables.values import Distinct, as_text, plain, positions_among


def read_coverings(reading: Reading | None, names: Iterable[str]) -> dict[str, Covering]:
    """The coverings of those columns whose labels steps or hierarchies explain.

    What a label covers does then not depend on rows being paired. Other columns are left to
    :func:`microveil.labels.covering.covering`.
    """
    if reading is None:
        return {}
    return {
        name: _covering(reading.column(name), reading.released.frame[name])
        for name in names
        if reading.recoders(name) and reading.column(name).labelled
    }


def _covering(column: Column, released: pl.Series) -> Covering:
    labels = Distinct.of(plain(released))
    stars = is_star(labels.values).to_numpy()
    texts = as_text(column.label_texts).cast(pl.String)
    place = positions_among(as_text(labels.values).cast(pl.String), texts)
    label_of = np.full(len(texts), -1, dtype=np.int64)
    label_of[place[place >= 0]] = np.flatnonzero(place >= 0)
    cover = column.explained
    label = label_of[cover.label]
    there = (label >= 0) & ~stars[label]
    everything = np.flatnonzero(stars)
    runs = (
        np.concatenate([label[there], everything]),
        np.concatenate([cover.low[there], np.zeros_like(everything)]),
        np.concatenate([cover.high[there], np.full_like(everything, cover.n_values)]),
    )
    order = np.argsort(runs[0], kind="stable")
    first, low, high = (run[order].astype(np.int64) for run in runs)
    return Covering(column.written.alias(column.name), labels, stars, first, low, high)
