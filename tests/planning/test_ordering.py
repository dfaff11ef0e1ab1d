"""Rows in the order that Polars sorts them into, whatever the columns' types."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from microveil.planning import ordering
from microveil.planning.ordering import in_order
from tests.planning.test_parts_equal_whole import people

TEXT = st.one_of(st.none(), st.text(alphabet="aÅé東", max_size=3))
NUMBER = st.one_of(st.none(), st.integers(-(2**62), 2**62))
SMALL = st.one_of(st.none(), st.integers(-3, 3))


@given(st.lists(st.tuples(TEXT, NUMBER, SMALL, st.booleans())))
def test_rows_are_sorted_as_polars_sorts_them(rows: list[Any]) -> None:
    schema = {"text": pl.String, "number": pl.Int64, "small": pl.Int8, "flag": pl.Boolean}
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    for columns in (["text", "number"], ["small", "flag", "text"], ["number", "small"]):
        expected = frame.sort(columns, maintain_order=True)
        assert_frame_equal(in_order(frame, columns), expected)


def test_dates_times_decimals_and_floats_are_sorted_too() -> None:
    frame = people(300)
    for name in frame.columns:
        assert in_order(frame, [name])[name].equals(frame[name].sort())


def test_keys_too_wide_for_one_number_are_sorted_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ordering, "PACKED_LIMIT", 10)
    frame = people(100).select("age", "town")
    assert in_order(frame, ["age", "town"]).equals(frame.sort("age", "town"))
