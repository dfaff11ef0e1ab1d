from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.kernels import jit
from microveil.kernels.uniques.by_sorting import (
    counts_by_sorting,
    sorted_instead,
    uniques_by_sorting,
)
from microveil.kernels.uniques.minimal_uniques import Rows, minimal_uniques
from microveil.kernels.uniques.set_separation import set_separation
from tests.kernels.uniques.test_minimal_uniques import tables


@settings(max_examples=80, deadline=None)
@given(tables(), st.integers(1, 5))
def test_sorting_finds_the_same_uniques_to_the_last_bit(rows: Rows, max_size: int) -> None:
    max_size = min(max_size, rows.codes.shape[0])
    weights = 1 / (1.0 + np.arange(max_size) * 0.7)
    sought = minimal_uniques(rows, max_size, weights=weights)
    found = uniques_by_sorting(rows, max_size, weights)
    pairs: list[tuple[Any, Any]] = list(zip(found, sought, strict=True))
    for one, other in pairs:
        assert one.dtype == other.dtype
        assert one.tobytes() == np.ascontiguousarray(other).tobytes()


@settings(max_examples=50, deadline=None)
@given(tables(), st.integers(1, 5))
def test_sorting_counts_the_same_classes(rows: Rows, max_size: int) -> None:
    codes = rows.codes + 1
    max_size = min(max_size, codes.shape[0])
    for top, part in enumerate(set_separation(codes, rows.records, max_size)):
        found = counts_by_sorting(codes, rows.records, top, max_size)
        assert np.array_equal(found.T, np.stack(part))


def test_keys_too_wide_for_one_number_are_numbered_anew() -> None:
    codes = np.tile(np.array([0, 2**30, 2**30], dtype=np.int32), (3, 1))
    rows = Rows(codes, np.array([0, 1, 2], dtype=np.int32), np.ones(3, dtype=np.int64))
    by_size = uniques_by_sorting(rows, 3, None)[0]
    assert by_size.tolist() == [[3, 0, 0], [0, 0, 0], [0, 0, 0]]


def test_large_searches_are_left_to_machine_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit.Kernel, "is_ready", lambda _: False)
    loop = jit.Kernel(lambda: None)
    assert not sorted_instead(loop, 50_000, 20, 5)
    assert [sorted_instead(loop, 50_000, 5, 5) for _ in range(5)] == [True] * 3 + [False] * 2
    monkeypatch.setattr(jit.Kernel, "__call__", lambda *_: pytest.fail("compiled"))
    rows = Rows(
        np.array([[0, 0, 1], [0, 1, 1]], dtype=np.int32),
        np.arange(3, dtype=np.int32),
        np.ones(3, dtype=np.int64),
    )
    assert minimal_uniques(rows, 2).sets.tolist() == [1, 2, 3]
