from __future__ import annotations

import pytest

from microveil.errors import ColumnError
from microveil.methods.parts.strata import strata_rows
from microveil.tables import Roles, Table


def test_each_stratum_has_its_rows_missing_being_one() -> None:
    table = Table({"g": ["b", None, "a", "b"], "x": [1, 2, 3, 4]}, Roles(strata=["g"]))
    found = sorted(rows.tolist() for rows in strata_rows(table, ["x"], apart=True))
    assert found == [[0, 3], [1], [2]]


def test_without_strata_all_rows_are_one() -> None:
    table = Table({"g": [1, 2], "x": [1, 2]}, Roles(strata=["g"]))
    assert [rows.tolist() for rows in strata_rows(table, ["x"], apart=False)] == [[0, 1]]
    plain = Table({"x": [1, 2]})
    assert [rows.tolist() for rows in strata_rows(plain, ["x"], apart=True)] == [[0, 1]]


def test_an_empty_table_has_one_empty_stratum() -> None:
    table = Table({"g": [], "x": []}, Roles(strata=["g"]))
    assert [rows.tolist() for rows in strata_rows(table, ["x"], apart=True)] == [[]]


def test_a_stratum_cannot_be_worked_on_within_itself() -> None:
    table = Table({"g": [1, 2]}, Roles(strata=["g"]))
    with pytest.raises(ColumnError, match="set by_strata to false"):
        strata_rows(table, ["g"], apart=True)
    assert len(strata_rows(table, ["g"], apart=False)) == 1
