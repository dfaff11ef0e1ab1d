"""Rows are numbered through all parts, and values are put in an order that disks can sort."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from microveil.errors import InputError
from microveil.planning import files
from microveil.planning.methods.numbering import laid_out, number_rows, order_values
from microveil.planning.sorting import Sorter
from tests.planning.cases import course_of

DAYS = [date(2024, 1, 3), None, date(2024, 1, 1)]
LEVELS = pl.Enum(["low", "high", "absurd"])
FRAME = pl.DataFrame(
    {"day": DAYS, "level": pl.Series(["high", "absurd", "low"], dtype=LEVELS), "x": [1.0, 2.0, 3.0]}
)


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "PART", 2)


def test_rows_are_numbered_over_the_parts_and_lots_differ(tmp_path: Path) -> None:
    course = course_of(FRAME, tmp_path)
    found = pl.concat(number_rows(course, ["x", "day"], np.random.default_rng(0)))
    assert found.columns == ["row", "lot", "0", "1"]
    assert found["row"].to_list() == [0, 1, 2]
    assert found["0"].to_list() == [1.0, 2.0, 3.0]
    assert found["1"].to_list() == DAYS
    assert found["lot"].n_unique() == 3


def test_days_and_levels_become_numbers_in_their_order(tmp_path: Path) -> None:
    course = course_of(FRAME, tmp_path)
    rng = np.random.default_rng(0)
    levels = pl.concat(order_values(course, "level", rng))["value"]
    assert levels.to_list() == [1, 2, 0]
    days = pl.concat(order_values(course, "day", rng))["value"]
    assert days.is_null().to_list() == [False, True, False]
    assert days[0] - days[2] == 2
    endless = course_of(FRAME.with_columns(x=pl.lit(float("inf"))), tmp_path)
    with pytest.raises(InputError, match="infinite"):
        list(order_values(endless, "x", rng))


def test_new_values_are_laid_out_in_the_order_of_rows(tmp_path: Path) -> None:
    pytest.importorskip("duckdb")
    moved = pl.DataFrame({"row": [2, 0, 1], "value": [2, 0, None]})
    kept = laid_out(Sorter(tmp_path, 2**28), iter([moved]), "level", LEVELS)
    assert kept.rows(0, 3)["level"].to_list() == ["low", None, "absurd"]
    assert kept.schema == {"level": LEVELS}
