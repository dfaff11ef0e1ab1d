"""Row order: rows are released in random order, so that their positions reveal nothing."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl


def slices(frame: pl.DataFrame, n_rows: int) -> Iterator[pl.DataFrame]:
    """The rows in order, ``n_rows`` at a time; an empty frame is one empty slice."""
    yield from frame.iter_slices(n_rows) if frame.height else [frame]


def shuffled_slices(
    frame: pl.DataFrame, rng: np.random.Generator, n_rows: int
) -> Iterator[pl.DataFrame]:
    """The rows in random order, ``n_rows`` at a time, so that there is never a second full copy.

    >>> parts = shuffled_slices(pl.DataFrame({"x": [1, 2, 3]}), np.random.default_rng(0), 2)
    >>> sorted(x for part in parts for x in part["x"])
    [1, 2, 3]
    """
    places = np.arange(frame.height, dtype=np.uint32 if frame.height < 2**32 else np.uint64)
    rng.shuffle(places)
    for start in range(0, max(frame.height, 1), n_rows):
        yield frame[places[start : start + n_rows]]
