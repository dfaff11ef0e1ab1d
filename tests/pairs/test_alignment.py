from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from microveil.errors import InputError
from microveil.pairs.alignment import aligned, common_columns, is_paired, released_table
from microveil.tables import Roles, Table

TABLE = Table({"x": [10, 20, 30], "y": [1, 2, 3]})


def test_rows_follow_the_release() -> None:
    kept = TABLE.take(np.array([2, 0]))
    assert aligned(TABLE, kept).frame["x"].to_list() == [30, 10]
    assert is_paired(TABLE, kept)


def test_tables_of_the_same_height_are_paired_row_by_row() -> None:
    other = Table({"x": [1, 1, 1]})
    assert is_paired(TABLE, other)
    assert aligned(TABLE, other) is TABLE


def test_lost_rows_without_a_link_cannot_be_paired() -> None:
    shorter = Table({"x": [10]})
    assert not is_paired(TABLE, shorter)
    with pytest.raises(InputError, match="1 rows and the original 3"):
        aligned(TABLE, shorter)


def test_common_columns_are_in_the_order_of_the_original() -> None:
    assert common_columns(TABLE, Table({"z": [1], "y": [1], "x": [1]})) == ["x", "y"]


def test_a_release_keeps_the_roles_whose_columns_it_has() -> None:
    roles = Roles(quasi_identifiers=["x", "y"], sensitive=["z"])
    found = released_table(pl.DataFrame({"x": [1]}), roles)
    assert found.roles == Roles(quasi_identifiers=["x"])
    assert released_table(TABLE, roles) is TABLE
