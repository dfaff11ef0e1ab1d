from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.errors import FileError
from microveil.files.columns.column_types import possible_kinds, survey
from microveil.files.columns.retyping import retype


def _kind(cells: list[str | None], marks: str = ".,") -> str:
    plan = pl.LazyFrame({"x": cells}, schema={"x": pl.String})
    return survey(plan, ["x"], possible_kinds(marks, dates=True))[0]["x"].name


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        (["1", "-2", None, "0"], "integer"),
        (["9223372036854775807"], "integer"),
        (["9223372036854775808"], "text"),
        (["1.5", "2"], "number"),
        (["1e5", "-2.5E-3", ".5", "5.", "inf", "NaN"], "number"),
        (["1,5", "2"], "number_comma"),
        (["1.234,56", "-12.345.678,9", "999", "0,5"], "number_comma"),
        (["1.234.567", "123.456.789"], "text"),
        (["12.34,5"], "text"),
        (["1,234.5"], "text"),
        ([" 1", "2 "], "integer"),
        (["true", "FALSE"], "boolean"),
        (["yes"], "text"),
        (["2020-01-31"], "date"),
        (["2020-13-01"], "text"),
        (["2020-1-5"], "text"),
        (["2020-01-31T10:00", "2020-01-31 10:00:00.5"], "datetime"),
        (["2020-01-31T10:00Z", "2020-01-31 10:00:00+02"], "instant"),
        (["2020-01-31", "2020-01-31T10:00"], "text"),
        (["007"], "text"),
        (["-0", "0"], "integer"),
        (["+1"], "text"),
        ([None, None], "text"),
        (["", ""], "text"),
        (["١٢"], "text"),
    ],
)
def test_a_column_has_the_type_all_its_cells_fit(cells: list[str | None], kind: str) -> None:
    assert _kind(cells) == kind


@given(st.lists(st.text(max_size=12), min_size=1, max_size=4))
def test_no_text_breaks_the_survey(cells: list[str]) -> None:
    assert _kind(list(cells))


@given(st.lists(st.integers(-(2**70), 2**70).map(str), min_size=1, max_size=5))
def test_whole_numbers_never_lose_digits(cells: list[str]) -> None:
    plan = pl.LazyFrame({"x": cells})
    kind = survey(plan, ["x"], possible_kinds(".", dates=True))[0]["x"]
    values = plan.select(kind.value(pl.col("x"))).collect()["x"].to_list()
    assert [str(int(value)) for value in values] == cells


def test_types_that_cannot_be_are_told() -> None:
    with pytest.raises(FileError, match="cannot be read as"):
        retype(pl.DataFrame({"x": [[1]]}), {"x": pl.Date})
    with pytest.raises(FileError, match="2 of 3 cells"):
        retype(pl.DataFrame({"x": ["a", "b", ""]}), {"x": pl.Int8})
