"""The rule is read from the released cells, whatever a column is called and however few it has."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from microveil.risk.safe_harbor import SafeHarbor


def cells(measure: SafeHarbor, name: str, values: list[Any]) -> int:
    return int(measure.measure(pl.DataFrame({name: values})).parts["n_cells"].get(name, 0))


@pytest.mark.parametrize(
    ("values", "n_cells"),
    [
        ([89, 90, None], 0),
        ([91, 90.5, 120], 2),
        (["90+", "≥ 90", "[85, 90)", "90 or older", "*"], 0),
        (["[90, 95)", "91", "85-99"], 3),
    ],
)
def test_ages_above_89_are_one_category(values: list[Any], n_cells: int) -> None:
    assert cells(SafeHarbor(ages=("a",)), "a", pl.Series(values, strict=False).to_list()) == n_cells


@pytest.mark.parametrize(
    ("values", "n_cells"),
    [
        ([1937, 2000], 0),
        ([1936, 1900, None], 2),
        (["1936 or before", "before 1937", "1937"], 0),
        (["[1930, 1940)"], 1),
    ],
)
def test_years_of_birth_of_the_oldest_are_one_category(values: list[Any], n_cells: int) -> None:
    assert cells(SafeHarbor(births=("b",), year=2026), "b", values) == n_cells


@pytest.mark.parametrize(
    ("values", "n_cells"),
    [
        (["021", "021**", "000", "*", None], 0),
        (["02138", "02138-1234", "036", "036**", "0213*"], 5),
        ([21, 100, 0], 0),
        ([2138, 36, 90210], 3),
    ],
)
def test_postcodes_keep_three_digits_of_large_areas(values: list[Any], n_cells: int) -> None:
    assert cells(SafeHarbor(postcodes=("z",)), "z", values) == n_cells


@pytest.mark.parametrize(
    "cell",
    [
        "ann@example.org", "write to ann@example.org", "https://example.org/ann", "10.0.0.1",
        "00:1a:2b:3c:4d:5e", "123-45-6789", "(212) 555-0100", "+44 20 7946 0000", "2020-03-01",
    ],
)  # fmt: skip
def test_what_leads_to_people_is_found_in_any_column(cell: str) -> None:
    assert cells(SafeHarbor(), "x", [cell, "fine", None]) == 1
    dated = cell == "2020-03-01"
    assert cells(SafeHarbor(contacts_only=True), "x", [cell]) == (0 if dated else 1)


def test_named_dates_hold_years_only_and_columns_at_fault_are_named() -> None:
    frame = {"month": [202003, 2020], "x": [1, 2]}
    assert SafeHarbor().measure(frame).value == 0
    score = SafeHarbor(dates=("month",)).measure(frame)
    assert score.value == 1
    assert SafeHarbor().faults(score) == ("month",)
