from __future__ import annotations

import polars as pl
import pytest

from microveil.errors import FileError
from microveil.files.formats import format_of
from microveil.files.unfit import naming_unfit_columns

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
