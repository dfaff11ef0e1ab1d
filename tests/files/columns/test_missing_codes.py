"""Codes for missing cells."""

from __future__ import annotations

import polars as pl
import pytest

from microveil.files.columns.missing_codes import codes_in, without_codes


@pytest.mark.parametrize(
    ("cells", "gone"),
    [
        ([170, 9999, None], [False, True, False]),
        ([170.5, 9999.0, None], [False, True, False]),
        (["170", " 9999 ", "9999.00", "na", "nab", None], [False, True, True, True, False, False]),
        ([True, False], [False, False]),
    ],
)
def test_a_code_is_found_however_it_is_written(cells: list[object], gone: list[bool]) -> None:
    assert codes_in(pl.Series(cells), (9999, "NA")).to_list() == gone


def test_cells_without_a_code_stay_as_they_are() -> None:
    column = pl.Series("height", [1, 2])
    assert without_codes(column, (9,)) is column
    assert without_codes(column, ()) is column
