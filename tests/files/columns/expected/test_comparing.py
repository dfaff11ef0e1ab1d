"""Differences from the expected schema are told by column and count, never by value."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import polars as pl
import pytest

from microveil.files.columns.expected.comparing import SchemaFinding, compare_with_schema
from microveil.files.columns.expected.schema import ExpectedSchema

COLUMNS: dict[str, Any] = {
    "sex": {"type": "text", "categories": ["f", "m"]},
    "age": {"type": "number", "at_least": 0, "at_most": 100, "missing": False},
    "seen": {"type": "date", "at_least": date(2020, 1, 1)},
}
FRAME = pl.DataFrame({"sex": ["f", None], "age": [0, 100], "seen": [date(2020, 1, 1), None]})


def compare(frame: pl.DataFrame, **more: Any) -> list[SchemaFinding]:
    schema = ExpectedSchema.parse({"columns": COLUMNS, **more})
    return list(compare_with_schema(frame.lazy(), schema))


def test_what_is_as_expected_is_not_mentioned() -> None:
    assert compare(FRAME) == []
    assert compare(FRAME.head(0)) == []
    assert compare(FRAME.cast({"sex": pl.Categorical, "age": pl.Float32})) == []


@pytest.mark.parametrize(
    ("change", "kind", "sentence"),
    [
        ({"sex": ["Zoë", "Zoë"]}, "new_category", "'sex' has 1 new category (cells: 2)."),
        ({"sex": ["x", "y"]}, "new_category", "'sex' has 2 new categories (cells: 2)."),
        ({"age": [-1, 101]}, "out_of_range", "2 cells of column 'age' lie outside"),
        ({"age": [1, None]}, "missing_cells", "1 cell of column 'age' is missing"),
        ({"age": ["1", "2"]}, "changed_type", "'age' is read as text, and number is expected"),
        ({"seen": [date(2019, 12, 31)] * 2}, "out_of_range", "2 cells of column 'seen' lie"),
        ({"new": [1, 2]}, "new_column", "Column 'new' is not expected."),
    ],
)
def test_each_difference_is_told_once_and_without_a_value(
    change: dict[str, list[Any]], kind: str, sentence: str
) -> None:
    changed = FRAME.with_columns(pl.Series(name, cells) for name, cells in change.items())
    (found,) = compare(changed)
    assert found.kind == kind
    assert sentence in found.sentence
    assert "Zoë" not in str(found.to_dict())


def test_a_missing_column_comes_with_a_hint_at_its_new_name() -> None:
    missing, new = compare(FRAME.rename({"age": "ages"}))
    assert missing.sentence.endswith("Did you mean 'ages'?")
    assert (missing.kind, new.kind) == ("missing_column", "new_column")


def test_the_file_says_how_severe_it_is() -> None:
    changed = FRAME.with_columns(sex=pl.lit("x"), new=pl.lit(1))
    found = compare(changed, severity={"new_category": "note", "new_column": "ignore"})
    assert [(one.kind, one.severity) for one in found] == [("new_category", "note")]


def test_columns_that_the_recipe_makes_are_not_new() -> None:
    schema = ExpectedSchema.parse({"columns": COLUMNS})
    made = FRAME.with_columns(stay=pl.lit(1))
    assert compare_with_schema(made.lazy(), schema, {"stay"}) == ()


def test_moments_are_compared_by_their_day() -> None:
    columns = {"at": {"type": "instant", "at_most": date(2024, 1, 1)}}
    schema = ExpectedSchema.parse({"columns": columns})
    moments = [datetime(2024, 1, 1, 23, tzinfo=UTC), datetime(2024, 1, 2, tzinfo=UTC)]
    (found,) = compare_with_schema(pl.LazyFrame({"at": moments}), schema)
    assert found.n_cells == 1


def test_codes_are_compared_as_they_are_written() -> None:
    columns = {
        "ward": {"type": "integer", "categories": [1, 2]},
        "on": {"type": "boolean", "categories": [True]},
    }
    schema = ExpectedSchema.parse({"columns": columns})
    found = compare_with_schema(pl.LazyFrame({"ward": [1, 3], "on": [True, False]}), schema)
    assert [(one.column, one.n_cells) for one in found] == [("ward", 1), ("on", 1)]
