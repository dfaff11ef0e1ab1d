from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import microveil as mv
from microveil.synthesis.parts.sums import Sum, check_sums, in_order

amounts = st.one_of(st.none(), st.integers(0, 10**6))


def test_the_total_is_worked_out_from_its_parts() -> None:
    frame = pl.DataFrame({"a": [1, 2, None], "b": [5, None, None], "t": [0, 0, 0]})
    one = Sum(total="t", parts=["a", "b"])
    mended = one.mend(frame, fixed=())
    assert mended["t"].to_list() == [6, 2, None]
    assert not one.find_broken(mended).any()
    assert one.find_broken(frame).all()


@given(st.lists(st.tuples(amounts, amounts, amounts, amounts), min_size=1, max_size=20))
def test_parts_are_scaled_to_a_total_that_stays(rows: list[tuple[int | None, ...]]) -> None:
    frame = pl.DataFrame(rows, schema=dict.fromkeys("tabc", pl.Int64), orient="row")
    one = Sum(total="t", parts=["a", "b"])
    mended = one.mend(frame, fixed=("t", "c"))
    assert mended["t"].equals(frame["t"])
    assert mended["c"].equals(frame["c"])
    assert not one.find_broken(mended).any()
    assert mended["a"].dtype == pl.Int64


def test_decimals_add_up_to_the_cent() -> None:
    frame = pl.DataFrame({"t": [10.01, 0.1], "a": [1.0, 0.33], "b": [2.0, 0.33], "c": [0.5, 0.33]})
    one = Sum(total="t", parts=["a", "b", "c"])
    mended = one.mend(frame, fixed=("t",))
    assert not one.find_broken(mended).any()
    assert mended["a"].to_list() == mended["a"].round(2).to_list()
    assert one.mend(frame, fixed=()).row(0)[0] == 3.5


def test_sums_of_sums_are_worked_out_from_the_bottom() -> None:
    top, bottom = Sum(total="all", parts=["t", "c"]), Sum(total="t", parts=["a", "b"])
    assert in_order([top, bottom]) == [bottom, top]
    with pytest.raises(mv.InputError, match="circular"):
        in_order([Sum(total="a", parts=["b"]), Sum(total="b", parts=["a"])])


def test_sums_that_cannot_be_kept_are_refused() -> None:
    frame = pl.DataFrame({"t": [1], "a": [1], "b": [1], "x": ["y"]})
    with pytest.raises(mv.InputError, match="'x'"):
        check_sums([Sum(total="t", parts=["x"])], frame, ())
    with pytest.raises(mv.InputError, match="Neither 't'"):
        check_sums([Sum(total="t", parts=["a"])], frame, ("t", "a"))
    with pytest.raises(mv.InputError, match="two sums"):
        check_sums([Sum(total="t", parts=["a"]), Sum(total="t", parts=["b"])], frame, ())
    with pytest.raises(mv.InputError, match="other than its total"):
        Sum.parse({"total": "t", "parts": ["t"]})
