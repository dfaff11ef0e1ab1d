"""The thesis' tables as printed: every column has a method of ours, every table a place."""

from __future__ import annotations

from microveil.studies.cells import printed_value
from microveil.studies.uab.methods import methods
from microveil.studies.uab.published import COLUMNS, ORIGINAL


def test_every_column_is_compared_with_a_method_that_is_run() -> None:
    assert {column.method for column in COLUMNS} <= set(methods("x"))
    assert sorted({column.table for column in COLUMNS}) == list(range(4, 16))
    # Even tables are about ages, odd ones about salaries.
    assert all((column.table % 2 == 0) == (column.data == "ages") for column in COLUMNS)


def test_what_is_printed_are_numbers_and_nothing_is_empty() -> None:
    values = [text for column in COLUMNS for text in column.values.values()]
    assert all(printed_value(text) > 0 for text in values)
    risks = [printed_value(c.values["risk"]) for c in COLUMNS if "risk" in c.values]
    assert all(0 < risk <= 1 for risk in risks)
    assert all("seconds" in column.values for column in COLUMNS)


def test_swapping_and_microaggregation_keep_the_printed_mean() -> None:
    kept = [
        column
        for column in COLUMNS
        if "mean" in column.values and column.method in ("rank swap", "rank swap, blocks")
    ]
    assert kept
    assert all(column.values["mean"] == ORIGINAL[column.data]["mean"] for column in kept)
