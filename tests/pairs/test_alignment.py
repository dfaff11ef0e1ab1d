from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from microveil.errors import InputError
from microveil.pairs.alignment import align, common_columns, is_paired, released_table, since
from microveil.tables import Roles, Table

TABLE = Table({"x": [10, 20, 30], "y": [1, 2, 3]})


def test_rows_follow_the_release() -> None:
    kept = TABLE.take(np.array([2, 0]))
    assert align(TABLE, kept).frame["x"].to_list() == [30, 10]
    assert is_paired(TABLE, kept)


def test_tables_of_the_same_height_are_paired_row_by_row() -> None:
    other = Table({"x": [1, 1, 1]})
    assert is_paired(TABLE, other)
    assert align(TABLE, other) is TABLE


def test_lost_rows_without_a_link_cannot_be_paired() -> None:
    shorter = Table({"x": [10]})
    assert not is_paired(TABLE, shorter)
    with pytest.raises(InputError, match="1 rows and the original 3"):
        align(TABLE, shorter)


def test_common_columns_are_in_the_order_of_the_original() -> None:
    assert common_columns(TABLE, Table({"z": [1], "y": [1], "x": [1]})) == ["x", "y"]


def test_a_release_keeps_the_roles_whose_columns_it_has() -> None:
    roles = Roles(quasi_identifiers=["x", "y"], sensitive=["z"])
    found = released_table(pl.DataFrame({"x": [1]}), roles)
    assert found.roles == Roles(quasi_identifiers=["x"])
    assert released_table(TABLE, roles) is TABLE


def test_a_state_is_linked_to_the_rows_of_an_earlier_one() -> None:
    original = Table({"x": [0, 1, 2, 3, 4]})
    first = original.take(np.array([4, 2, 0, 1]))
    second = first.take(np.array([2, 0]))
    before, after, linked = since(original, first, original, second)
    assert linked
    assert before.rows is None
    assert after.rows is not None
    assert before.frame["x"][after.rows].to_list() == after.frame["x"].to_list() == [0, 4]
    from_the_first = since(original, original, original, second)[1].rows
    assert from_the_first is not None
    assert from_the_first.tolist() == [0, 4]
    assert not since(original, first, original, original)[2]
    assert not since(original, second, original, first)[2]


def test_states_of_other_data_are_no_pair() -> None:
    one, other = Table({"x": [1]}), Table({"x": [2]})
    with pytest.raises(InputError, match="different data"):
        since(one, one, other, other)
    assert since(one, one, Table({"x": [1]}), one)[2]
