from __future__ import annotations

import polars as pl
import pytest

from microveil.pairs.columns import in_order, read_column, read_columns
from microveil.tables import Table


def test_equal_values_have_equal_codes_in_all_three_tables() -> None:
    before = pl.DataFrame({"age": [30, 10, None], "town": ["b", "a", "c"]})
    after = pl.DataFrame({"age": [10.0, 30.0], "town": ["c", None]})
    control = pl.DataFrame({"age": [20], "town": ["a"]})
    age, town = read_columns(Table(before), Table(after), Table(control), ["age", "town"])
    assert age.ordered
    assert not town.ordered
    assert [codes.tolist() for codes in age.codes] == [[2, 0, -1], [0, 2], [1]]
    first, second, third = town.codes
    assert first[2] == second[0]
    assert first[1] == third[0]
    assert second[1] == -1
    assert age.scale == pytest.approx(1 / 20)
    assert age.values.to_list() == [10, 20, 30]


def test_labels_in_the_release_stand_for_values() -> None:
    column = read_column(pl.Series("age", [21, 25, 33]), pl.Series("age", ["[20, 30)", "33", None]))
    assert column.labelled
    assert column.label_texts.to_list() == ["33", "[20, 30)"]
    assert column.codes[1].tolist() == [1, 0, -1]
    assert column.codes[0].tolist() == [0, 1, 2]
    assert not column.without_release().labelled


def test_infinite_numbers_are_beyond_the_outermost() -> None:
    column = read_column(pl.Series("x", [1.0, float("inf")]), pl.Series("x", [5.0, float("-inf")]))
    assert column.numbers[0].tolist() == [1.0, 9.0]
    assert column.numbers[1].tolist() == [5.0, -3.0]
    assert column.scale == pytest.approx(1 / 4)


def test_the_order_of_a_release_follow_its_content() -> None:
    frame = pl.DataFrame({"a": [2, 1, 2], "b": ["y", "z", "x"]})
    shuffled = frame[[2, 0, 1]]
    orders = []
    for one in (frame, shuffled):
        columns = read_columns(Table(frame), Table(one), None, ["a", "b"])
        orders.append(one[in_order(columns)].rows())
    assert orders[0] == orders[1]
