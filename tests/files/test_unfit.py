from __future__ import annotations

import polars as pl
import pytest

from microveil.errors import FileError
from microveil.files.formats import format_of
from microveil.files.unfit import Changes, naming_unfit_columns

FRAME = pl.DataFrame({"a": [1], "b": [2]})


def test_an_error_that_quotes_a_cell_becomes_one_that_names_the_columns() -> None:
    known = format_of("x.parquet")
    with pytest.raises(FileError, match="Parquet cannot hold column 'a', 'b'") as caught:  # noqa: SIM117  one thing is raised
        with naming_unfit_columns(FRAME, known):
            raise pl.exceptions.ComputeError("cannot write SECRET")
    assert "SECRET" not in str(caught.value)
    assert caught.value.__cause__ is None


def test_what_is_not_about_values_passes_through() -> None:
    with pytest.raises(KeyError), naming_unfit_columns(FRAME, format_of("x.parquet")):
        raise KeyError("other")


def test_what_a_format_changes_is_counted_by_column_over_all_parts() -> None:
    known = format_of("x.sav")
    changes = Changes(known)
    for _ in range(2):
        frame = pl.DataFrame({"n": [float("nan"), 1.0], "s": ["", "a "], "b": [True, False]})
        changes.add(frame, frame.with_columns(pl.col("n").fill_nan(None)))
    assert changes.sentences() == (
        "Column 'n': 2 cells that are not a number (NaN) became missing.",
        "Column 's': 2 cells without text became missing.",
        "Column 's': 2 cells lost the blanks at the end.",
        "Column 'b' is held as 0 and 1.",
    )


def test_nothing_is_said_where_nothing_changes() -> None:
    for name in ("x.parquet", "x.csv", "x.duckdb", "x.xlsx"):
        changes = Changes(format_of(name))
        changes.add(FRAME, FRAME)
        assert changes.sentences() == ()
