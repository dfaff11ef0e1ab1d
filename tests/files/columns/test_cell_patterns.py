"""Patterns of cells."""

from __future__ import annotations

import polars as pl
import pytest

from microveil.files.columns.cell_patterns import MOST, count_patterns, list_patterns


@pytest.mark.parametrize(
    ("cell", "order", "pattern"),
    [
        ("31/12/1980", "dmy", "dd/mm/yyyy"),
        ("12/31/1980", "mdy", "mm/dd/yyyy"),
        ("3-12-80", "dmy", "d-mm-yy"),
        ("1980-12-31", "dmy", "yyyy-mm-dd"),
        ("19801231", "dmy", "yyyymmdd"),
        ("12/1980", "dmy", "mm/yyyy"),
        ("1980", "dmy", "yyyy"),
        ("5 de mayo de 2020", "dmy", "9 a a a 9999"),
        ("5 May 2020", "dmy", "d month yyyy"),
        ("31/12/1980 07:30", "dmy", "dd/mm/yyyy hh:mm"),
        ("2020-01-02T03:04:05Z", "dmy", "yyyy-mm-ddahh:mm:ssa"),
        ("Ana López", "dmy", "a a"),
        ("600-123-456", "dmy", "999-999-999"),
    ],
)
def test_a_pattern_says_what_a_cell_looks_like(cell: str, order: str, pattern: str) -> None:
    assert count_patterns(pl.Series([cell]), order) == [(pattern, 1)]


def test_patterns_hold_no_letter_of_a_cell() -> None:
    told = list_patterns(count_patterns(pl.Series(["Smith", "x@y.z", "†17"])))
    assert "Smith" not in told
    assert "x" not in told
    assert "17" not in told


def test_only_the_commonest_patterns_are_listed() -> None:
    counted = [("9" * n, 1) for n in range(1, MOST + 4)]
    assert list_patterns(counted).endswith("others: 3")
    assert count_patterns(pl.Series([], dtype=pl.String)) == []
