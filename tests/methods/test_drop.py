from __future__ import annotations

import polars as pl
import pytest

from microveil.errors import ColumnError, SpecError
from microveil.methods.drop import Drop
from microveil.tables import Roles, Table


def test_a_dropped_column_is_gone_with_its_role(patients: pl.DataFrame, roles: Roles) -> None:
    after = Drop(columns="name").protect(Table(patients, roles))
    assert after.columns == ["age", "sex", "zip", "disease"]
    assert after.roles.identifiers == ()
    assert after.roles.sensitive == ("disease",)


def test_the_input_keeps_its_columns(patients: pl.DataFrame) -> None:
    before = patients.clone()
    Drop(columns=["age", "name"]).protect(patients)
    assert patients.equals(before)


def test_an_unknown_column_is_named_with_its_neighbour(patients: pl.DataFrame) -> None:
    with pytest.raises(ColumnError, match=r"No column 'nme' in the data\. Did you mean 'name'\?"):
        Drop(columns=["nme"]).protect(patients)


def test_nested_columns_can_be_dropped(nested: pl.DataFrame) -> None:
    assert Drop(columns="x").protect(nested).columns == ["y"]


@pytest.mark.parametrize(
    ("columns", "message"), [([], "at least 1 item"), (["a", "a"], "'a' is named more than once")]
)
def test_a_list_of_columns_is_neither_empty_nor_doubled(columns: list[str], message: str) -> None:
    with pytest.raises(SpecError, match=message):
        Drop.parse({"columns": columns})


def test_every_record_stands_for_itself() -> None:
    assert Drop(columns="a").row_wise
