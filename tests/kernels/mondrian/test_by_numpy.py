"""What NumPy does in place of a loop is what the loop does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.kernels import nth_smallest
from microveil.kernels.jit import always_compiled
from microveil.kernels.mondrian import by_classes, by_numpy, cuts, partition
from microveil.kernels.mondrian.cuts import NCP, WIDEST, Cut, CutRule
from microveil.kernels.nth_smallest import BUCKETS, select_nth
from tests.kernels.plain_mondrian import Column, Record, codes_of, space_of, tables

CODES = st.lists(st.integers(-1, 6), min_size=1, max_size=30)


def loop_of(kernel: Any) -> Any:
    return getattr(kernel, "py_func", kernel)


@given(CODES, st.integers(-1, 6), st.data())
def test_columns_are_counted_and_searched_alike(
    codes: list[int], edge: int, data: st.DataObject
) -> None:
    column = np.array(codes, dtype=np.int32)
    counts = np.array(
        data.draw(st.lists(st.integers(1, 4), min_size=len(codes), max_size=len(codes)))
    )
    low, high = by_numpy.ends(column)
    assert (low, high) == loop_of(cuts._ends)(column)
    assert by_numpy.lowest_present(column, high) == loop_of(cuts.lowest_present)(column, high)
    assert by_numpy.n_up_to(column, edge) == loop_of(cuts._n_up_to)(column, edge)
    summed = by_numpy.n_records_up_to(column, counts, edge)
    assert summed == loop_of(by_classes._n_up_to)(column, counts, edge)
    n = data.draw(st.integers(0, int(counts.sum()) - 1))
    arguments = column, counts, low, high, n, np.empty(BUCKETS, np.int64)
    assert by_numpy.nth_record(*arguments) == loop_of(by_classes._nth_record)(*arguments)
    n = data.draw(st.integers(0, len(codes) - 1))
    scratch = np.empty(len(codes), np.int32)
    found = loop_of(select_nth)(column, low, high, n, scratch, np.empty(BUCKETS, np.int64))
    assert found == nth_smallest._partition(column, low, high, n, scratch, counts)


@given(CODES, st.integers(-1, 6), st.data())
def test_records_are_marked_and_moved_alike(
    codes: list[int], edge: int, data: st.DataObject
) -> None:
    column = np.array(codes, dtype=np.int32)
    extra = data.draw(st.integers(0, codes.count(edge + 1)))
    cut = Cut(0, edge, extra, 0)
    mine, theirs = np.empty((2, len(codes)), np.uint8)
    by_numpy.mark_sides(column, cut, mine)
    loop_of(cuts.mark_sides)(column, cut, theirs)
    assert mine.tolist() == theirs.tolist()
    assert by_numpy.n_left(mine) == loop_of(by_classes._n_left)(theirs)
    if 0 < mine.sum() < len(codes):
        low, high = by_numpy.ends(column)
        expected = loop_of(cuts._ends_by_side)(column, mine, low, high)
        assert by_numpy.ends_by_side(column, mine, low, high) == expected
    one, other, scratch = np.arange(len(codes)), np.arange(len(codes)), np.empty(len(codes), int)
    by_numpy.rearrange(one, mine, scratch)
    loop_of(partition.rearrange)(other, mine, scratch)
    assert one.tolist() == other.tolist()


@pytest.mark.parametrize("rule", [(False, WIDEST), (True, WIDEST), (False, NCP)])
@settings(max_examples=40, deadline=None)
@given(table=tables())
def test_machine_code_cuts_as_numpy_does(
    rule: tuple[bool, int], table: tuple[list[Record], list[Column], int]
) -> None:
    records, columns, k = table
    how = CutRule(k, *rule)
    found = partition.mondrian(codes_of(records), space_of(columns), how)
    with always_compiled():
        compiled = partition.mondrian(codes_of(records), space_of(columns), how)
    assert found.order.tolist() == compiled.order.tolist()
    assert found.starts.tolist() == compiled.starts.tolist()
