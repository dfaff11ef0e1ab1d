from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.tabulation.counted import KEY_SCALE
from microveil.tabulation.sources.record_keys import hash_record_keys, read_record_keys


def test_keys_are_hashed_from_the_record_and_the_secret() -> None:
    frame = pl.DataFrame({"id": np.arange(4000), "x": ["a"] * 4000})
    keys = hash_record_keys(frame, ["id", "x"], b"one secret of sixteen")
    again = hash_record_keys(frame.reverse(), ["id", "x"], b"one secret of sixteen")
    assert keys.tolist() == again.tolist()[::-1]
    assert keys.tolist() != hash_record_keys(frame, ["id", "x"], b"another of sixteen").tolist()
    assert np.mean(keys / KEY_SCALE) == pytest.approx(0.5, abs=0.03)


def test_keys_are_read_and_must_be_shares() -> None:
    keys = read_record_keys(pl.DataFrame({"key": [0.9, 0.3, 0.6]}), "key")
    assert keys.sum() % KEY_SCALE / KEY_SCALE == pytest.approx(0.8)
    for wrong in ([1.5, 0.1], [None, 0.1], ["a", "b"]):
        with pytest.raises(mv.ColumnError, match="between 0 and 1"):
            read_record_keys(pl.DataFrame({"key": wrong}), "key")
