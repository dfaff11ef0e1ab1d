from __future__ import annotations

import polars as pl
import pytest
from pydantic import TypeAdapter, ValidationError

from microveil.errors import ColumnError
from microveil.methods.parts.columns import SomeColumns, apart, refuse_kinds, usable_frame
from microveil.tables import Table
from microveil.tables.kinds import is_number

FRAME = pl.DataFrame({"age": [1], "name": ["a"], "list": [[1]], "none": pl.Series([None])})


def test_columns_are_at_least_one_and_each_once() -> None:
    columns = TypeAdapter(SomeColumns)
    assert columns.validate_python("age") == ("age",)
    assert columns.validate_python(["b", "a"]) == ("b", "a")
    with pytest.raises(ValidationError, match="Column 'a' is named more than once"):
        columns.validate_python(["a", "b", "a"])
    with pytest.raises(ValidationError, match="at least 1"):
        columns.validate_python([])


def test_columns_must_be_there_and_hold_plain_values() -> None:
    table = Table(FRAME)
    assert usable_frame(table, ["age", "name"], "round") is table.frame
    with pytest.raises(ColumnError, match="Step 'round' names no column"):
        usable_frame(table, [], "round")
    with pytest.raises(ColumnError, match="Did you mean 'age'"):
        usable_frame(table, ["agee"], "round")
    with pytest.raises(ColumnError, match=r"Step 'round'.*nested"):
        usable_frame(table, ["list"], "round")


def test_columns_of_another_type_are_named_with_it() -> None:
    refuse_kinds(FRAME, ["age", "none"], is_number, "Numbers are needed.")
    with pytest.raises(ColumnError, match=r"^Numbers are needed\. .*: 'name' \(String\)\.$"):
        refuse_kinds(FRAME, ["age", "name"], is_number, "Numbers are needed.")


def test_two_lists_have_no_column_in_common() -> None:
    apart(["a"], ["b"], ("columns", "given"))
    with pytest.raises(ValueError, match="Column 'a' cannot be in both columns and given"):
        apart(["a", "b"], ["c", "a"], ("columns", "given"))
