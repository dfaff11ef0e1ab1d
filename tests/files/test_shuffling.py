from __future__ import annotations

from collections import Counter

import numpy as np
import polars as pl

from microveil.files.shuffling import shuffled_slices, slices


def test_every_order_is_about_equally_likely() -> None:
    rng = np.random.default_rng(11)
    frame = pl.DataFrame({"x": [0, 1, 2]})
    orders = Counter(
        tuple(x for part in shuffled_slices(frame, rng, 2) for x in part["x"]) for _ in range(3000)
    )
    assert len(orders) == 6
    assert max(abs(count - 500) for count in orders.values()) < 110  # five standard deviations


def test_slices_have_the_size_asked_for() -> None:
    frame = pl.DataFrame({"x": range(10)})
    for parts in (slices(frame, 4), shuffled_slices(frame, np.random.default_rng(0), 4)):
        assert [part.height for part in parts] == [4, 4, 2]


def test_an_empty_frame_is_one_empty_slice() -> None:
    frame = pl.DataFrame(schema={"x": pl.Int64})
    for parts in (slices(frame, 4), shuffled_slices(frame, np.random.default_rng(0), 4)):
        assert [part.schema for part in parts] == [frame.schema]
