"""Type-based hierarchies, with the examples of their source (Zaragoza thesis, 2017)."""

from __future__ import annotations

from datetime import date, time
from decimal import Decimal
from itertools import pairwise
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.errors import ColumnError
from microveil.hierarchies import Types


def row(values: list[Any], value: Any, **fields: Any) -> tuple[Any, ...]:
    rows = Types(**fields).build(pl.Series(values)).frame.rows()
    return next(line[1:] for line in rows if line[0] == value)


def test_a_character_becomes_a_star() -> None:
    assert row(["a", "b"], "a") == ("*",)
    assert row([True, False], True) == ("*",)


def test_the_integer_of_the_source() -> None:
    assert row([1234], 1234) == ("1230", "1200", "1000", "0", "*")


def test_short_integers_reach_zero_early() -> None:
    assert row([7, 1234], 7) == ("0", "0", "0", "0", "*")
    assert row([0], 0) == ("0", "*")


def test_negative_integers_are_cut_towards_zero() -> None:
    assert row([-1234], -1234) == ("-1230", "-1200", "-1000", "0", "*")


def test_the_decimal_of_the_source() -> None:
    column = ["1234.6789", "5.25"]
    expected = ("1234.67", "1234.6", "1234", "1230", "1200", "1000", "0", "*")
    assert row(column, "1234.6789", type="decimal") == expected
    assert row([1234.6789, 5.25], 1234.6789) == expected


def test_decimals_as_short_as_the_shortest_start_one_lower() -> None:
    assert row([0.25, 1.75], 1.75) == ("1.7", "1", "0", "*")


def test_a_whole_number_among_decimals_leaves_no_decimals() -> None:
    assert row([12.5, 3.0], 12.5) == ("12", "10", "0", "*")


def test_decimal_columns_count_the_decimals_they_are_written_with() -> None:
    assert row([Decimal("1.50"), Decimal("2.25")], Decimal("1.50")) == ("1.5", "1", "0", "*")


def test_negative_decimals_meet_at_zero_without_a_sign() -> None:
    assert row([-0.5, 0.5], -0.5) == ("0", "0", "*")


def test_numbers_with_an_exponent_are_written_out() -> None:
    assert row([1e-7, 0.25], 1e-7) == ("0.00", "0.0", "0", "0", "*")


def test_the_date_of_the_source() -> None:
    expected = ("02/1234", "1234", "1230", "1200", "1000", "0", "*")
    assert row([date(1234, 2, 10)], date(1234, 2, 10)) == expected
    assert row(["10/02/1234"], "10/02/1234", type="date") == expected
    assert row(["1234-02-10"], "1234-02-10", type="date") == expected


def test_the_string_of_the_source() -> None:
    column = ["anonimización", "dato"]
    assert row(column, "anonimización") == ("anon", "ano", "an", "a", "*")
    assert row(column, "dato") == ("dato", "dat", "da", "d", "*")


def test_strings_of_one_length_start_one_shorter() -> None:
    assert row(["abc", "abd"], "abc") == ("ab", "a", "*")


def test_numbers_held_as_text_are_told_from_codes() -> None:
    assert row(["1234.6789", "1.25"], "1234.6789") == (
        "1234.67", "1234.6", "1234", "1230", "1200", "1000", "0", "*"
    )  # fmt: skip
    assert row(["1234", "56"], "1234") == ("1230", "1200", "1000", "0", "*")
    assert row(["08001", "8002"], "08001") == ("0800", "080", "08", "0", "*")
    assert row(["8001", "8002"], "8001") == ("800", "80", "8", "*")
    assert row(["12.5", "n/a"], "12.5") == ("12.", "12", "1", "*")


def test_an_empty_string_does_not_empty_the_others() -> None:
    assert row(["", "abc", "ab"], "abc") == ("ab", "a", "*")
    assert row(["", "abc", "ab"], "") == ("*", "*", "*")


def test_the_type_may_be_given() -> None:
    assert row(["12", "345"], "345", type="integer") == ("340", "300", "0", "*")
    assert row([12, 345], 345, type="string") == ("34", "3", "*")


def test_what_is_not_of_the_type_is_left_out() -> None:
    built = Types(type="integer").build(pl.Series(["12", "x", "1.5"]))
    assert built.values.to_list() == ["12"]


def test_a_type_without_a_hierarchy_is_refused() -> None:
    with pytest.raises(ColumnError, match="column 't' holds Time"):
        Types().build(pl.Series("t", [time(1, 2)]))


def test_the_whole_column_decides() -> None:
    assert not Types().row_wise


@given(st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1))
def test_integers_follow_the_formula_of_the_source(numbers: list[int]) -> None:
    built = Types().build(pl.Series(numbers, dtype=pl.Int64))
    for number, *labels in built.frame.rows():
        for power, label in enumerate(labels[:-1], 1):
            cut = abs(number) - abs(number) % 10**power
            assert int(label) == (cut if number >= 0 else -cut)
    assert set(built.frame.to_series(-2)) == {"0"}


@given(
    st.one_of(
        st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1),
        st.lists(st.text(max_size=6), min_size=1),
        st.lists(st.dates(), min_size=1),
        st.lists(st.integers(-1000, 1000), min_size=1),
    )
)
def test_levels_nest_and_labels_never_grow_in_number(cells: list[Any]) -> None:
    built = Types().build(pl.Series(cells))  # raises unless its levels nest
    assert built.n_values == pl.Series(cells).n_unique()
    assert all(fine >= coarse for fine, coarse in pairwise(built.n_labels))


@pytest.mark.parametrize(
    ("values", "titles"),
    [
        ([date(1999, 3, 2)], ["month", "year", "decade", "century", "millennium", "10000 years"]),
        (["02/03/1999"], ["month", "year", "decade", "century", "millennium", "10000 years"]),
        ([1234, -5], ["width 10", "width 100", "width 1000", "width 10000"]),
        ([1.25, 3.5, 10.125], ["1 decimal", "whole number", "width 10", "width 100"]),
        ([Decimal("1.50")], ["1 decimal", "whole number", "width 10"]),
        (["abcd", "abc", ""], ["first 3 characters", "first 2 characters", "first character"]),
        (["a", "b"], []),
        ([True], []),
    ],
)
def test_levels_say_what_is_left_of_a_value(values: list[Any], titles: list[str]) -> None:
    builder = Types()
    hierarchy = builder.build(pl.Series(values))
    assert builder.titles(hierarchy) == ("as it is", *titles, "*")
    assert len(builder.titles(hierarchy)) == hierarchy.n_levels
