from __future__ import annotations

import datetime as dt
from typing import Any

import numpy as np
import polars as pl
import pytest

from microveil.labels.describing import Described, describe
from microveil.tables.values import as_text

DAYS = [dt.date(2020, 1, day) for day in (1, 5, 9)]


def meant(label: str, values: list[Any]) -> list[Any] | None:
    column = pl.Series(values)
    found = describe(label, column, as_text(column))
    if found is None:
        return None
    pairs = zip(found.low, found.high, strict=True)
    return [values[at] for low, high in pairs for at in range(low, high)]


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("[20, 30)", [20, 25]),
        ("[20, 30]", [20, 25, 30]),
        ("(20, 30]", [25, 30]),
        ("≥30", [30, 41]),
        ("{20, 41}", [20, 41]),
        ("{2*, 41}", [20, 25, 41]),
        ("[26, 29]", []),
        ("2*", [20, 25]),
        ("young", None),
    ],
)
def test_a_label_means_the_values_it_describes(label: str, expected: list[int] | None) -> None:
    assert meant(label, [20, 25, 30, 41]) == expected


def test_numbers_written_as_text_lie_between_numbers() -> None:
    assert meant("[5, 10]", ["10", "4", "7"]) == ["10", "7"]


def test_days_lie_between_days() -> None:
    assert meant("[2020-01-02, 2020-01-09]", DAYS) == DAYS[1:]


def test_masks_and_sets_of_text() -> None:
    assert meant("080**", ["08001", "08002", "28001"]) == ["08001", "08002"]
    assert meant("{a, c}", ["a", "b", "c"]) == ["a", "c"]
    assert meant("{x, y}", ["a", "b"]) is None


def test_neighbours_are_joined_into_runs() -> None:
    runs = Described.of(np.array([1, 2, 3, 7, 9, 10]))
    assert (runs.low.tolist(), runs.high.tolist()) == ([1, 7, 9], [4, 8, 11])
    assert Described.of(np.array([], dtype=np.int64)).low.tolist() == []
