from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from microveil.errors import ColumnError, InputError
from microveil.pairs.known_columns import (
    known_columns,
    numbers_of_pair,
    pair_tables,
    paired_numbers,
    reading_of,
)
from microveil.tables import Roles, Table

FRAME = pl.DataFrame(
    {"name": ["a", "b"], "w": [1.0, 2.0], "age": [30, 40], "many": [[1], [2]], "far": [1.0, np.inf]}
)
TABLE = Table(FRAME, Roles(identifiers=["name"], weight="w"))


def test_an_intruder_knows_no_identifier_and_no_weight() -> None:
    assert known_columns(TABLE, TABLE) == ("age", "far")
    assert pair_tables(TABLE, TABLE, ("name",)).columns == ("name",)


def test_what_cannot_be_compared_is_refused_only_when_named() -> None:
    assert pair_tables(TABLE, TABLE, ()).columns == ("age", "far")
    with pytest.raises(InputError, match="'many'"):
        pair_tables(TABLE, TABLE, ("many",))
    with pytest.raises(ColumnError, match="'nowhere'"):
        pair_tables(TABLE, TABLE, ("nowhere",))


def test_released_rows_know_where_they_came_from() -> None:
    pair = pair_tables(TABLE, TABLE.take(np.array([1])), ())
    assert (pair.n_records, pair.origin.tolist()) == (1, [1])
    assert pair.before.frame["age"].to_list() == [40]


def test_numbers_of_both_sides_stand_beside_each_other() -> None:
    found = paired_numbers(TABLE, TABLE, ())
    assert found.columns == ("age", "far")
    # An infinite number is a range beyond the finite ones, and takes no column away.
    assert found.before.tolist() == [[30.0, 1.0], [40.0, 2.0]]


def test_rows_of_a_person_that_say_the_same_are_compared_once() -> None:
    frame = pl.DataFrame({"who": ["a", "a", "b"], "x": [1, 1, 2]})
    table = Table(frame, Roles(entity="who"))
    pair = pair_tables(table, table, ())
    assert pair.columns == ("x",)
    assert pair.alike.rows.tolist() == [0, 2]
    assert pair.alike.of_row.tolist() == [0, 0, 1]
    assert pair.people is not None
    assert len(np.unique(pair.owners)) == 2
    assert [codes.tolist() for codes in pair.codes("x")] == [[0, 1], [0, 1]]
    assert reading_of(table, table).people is not None
    assert numbers_of_pair(pair, ()).before.tolist() == [[1.0], [2.0]]


def test_a_pair_needs_an_original() -> None:
    with pytest.raises(InputError, match="give both tables"):
        pair_tables(None, TABLE, ())
