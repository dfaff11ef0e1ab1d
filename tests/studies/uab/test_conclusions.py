"""The thesis' sentences hold or fail with the runs."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest

from microveil.studies.uab.conclusions import conclusions
from microveil.studies.uab.methods import Averages, averages, methods
from microveil.studies.uab.published import Data

FRAME = pl.DataFrame({"x": [1.0, 2, 3, 4, 6, 9, 12, 17, 23, 31, 40, 48, 55, 61, 66, 70, 80] * 6})


@pytest.fixture(scope="module")
def found() -> dict[tuple[Data, str], Averages]:
    return {("ages", name): averages("ages", FRAME, name, 4) for name in methods("x")}


def _told(found: dict[tuple[Data, str], Averages]) -> dict[str, float]:
    cells = conclusions(found, {"ages": FRAME}).cells
    return {str(cell.where["statement"]): cell.ours for cell in cells}


@pytest.mark.parametrize(
    ("method", "quantity", "value", "statement"),
    [
        ("additive noise", "smallest", 1.0, "negative"),
        ("additive noise", "sd", 90.0, "less than 5 %"),
        ("multiplicative noise", "largest", 80.0, "above 80"),
        ("multiplicative noise", "sd", 1.0, "deviation more"),
        ("rank swap, blocks", "seconds", 1e9, "faster"),
        ("rank swap, blocks", "il1s", 1e9, "loses less"),
        ("rank swap, blocks", "risk", 0.0, "risks more"),
        ("rank swap, blocks", "mean", 1.0, "Swapping keeps"),
        ("microaggregation", "peak", 1.0, "end in a peak"),
    ],
)
def test_a_sentence_fails_where_the_runs_say_otherwise(
    found: dict[tuple[Data, str], Averages],
    method: str,
    quantity: str,
    value: float,
    statement: str,
) -> None:
    one = found["ages", method]
    other = replace(one, mean={**one.mean, quantity: value})
    told = _told({**found, ("ages", method): other})
    assert [holds for text, holds in told.items() if statement in text] == [0]


def test_noise_makes_negative_values_and_swaps_keep_the_moments(
    found: dict[tuple[Data, str], Averages],
) -> None:
    told = _told(found)
    kept = [holds for text, holds in told.items() if "negative" in text or "Swapping" in text]
    assert kept == [1, 1]
