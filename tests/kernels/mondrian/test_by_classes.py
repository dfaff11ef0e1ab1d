"""Partitions made of classes and their counts are those made of all records."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from microveil.kernels.mondrian import by_classes as module
from microveil.kernels.mondrian.by_classes import mondrian_of_classes
from microveil.kernels.mondrian.cuts import WIDEST, CutRule
from microveil.kernels.mondrian.partition import mondrian
from microveil.kernels.nth_smallest import BUCKETS
from tests.kernels.plain_mondrian import Column, Record, codes_of, space_of, tables


def classes_of(records: list[Record]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    rows, counts = np.unique(codes_of(records), axis=1, return_counts=True)
    return rows.astype(np.int32), counts.astype(np.int64)


@given(tables())
@settings(max_examples=150)
def test_classes_are_cut_like_their_records(table: tuple[list[Record], list[Column], int]) -> None:
    records, columns, k = table
    codes, counts = classes_of(records)
    before = codes.copy()
    found = mondrian_of_classes(codes, counts, space_of(columns), k)
    each = np.repeat(np.arange(len(counts)), counts)
    rule = CutRule(k, relaxed=False, split=WIDEST)
    whole = mondrian(np.take(codes, each, axis=1), space_of(columns), rule)
    of_class = found.of_record()[each]
    pairs = set(zip(of_class.tolist(), whole.of_record().tolist(), strict=True))
    assert len(pairs) == len(found.starts) == len(whole.starts)
    assert (codes == before).all()
    assert (found.codes == codes[:, found.order]).all()


def test_a_class_of_any_size_takes_no_more_room() -> None:
    codes = np.array([[0, 1, 2]], dtype=np.int32)
    counts = np.array([10**15, 10**15, 3], dtype=np.int64)
    found = mondrian_of_classes(codes, counts, space_of([Column("plain")]), 5)
    assert found.starts.tolist() == [0, 1]


def test_fewer_records_than_k_are_refused() -> None:
    codes, counts = np.zeros((1, 2), np.int32), np.array([1, 1])
    with pytest.raises(ValueError, match="k = 3 records, there are 2"):
        mondrian_of_classes(codes, counts, space_of([Column("plain")]), 3)


@given(
    st.lists(st.tuples(st.integers(-1, 2**31 - 2), st.integers(1, 5)), min_size=1, max_size=30),
    st.floats(0, 0.999),
)
@example([(-1, 1), (2**31 - 2, 1)], 0.9)
def test_the_nth_record_is_that_of_the_sorted_records(
    classes: list[tuple[int, int]], share: float
) -> None:
    column, counts = np.array(classes, dtype=np.int64).T
    records = np.sort(np.repeat(column, counts))
    n = int(share * len(records))
    column = column.astype(np.int32)
    totals = np.empty(BUCKETS, np.int64)
    low, high = int(records[0]), int(records[-1])
    assert module._nth_record(column, counts, low, high, n, totals) == records[n]
