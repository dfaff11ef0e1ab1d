from __future__ import annotations

from datetime import date
from typing import Any

import numpy as np
import polars as pl
import pytest

from microveil.app.coarsening import ladder_of
from microveil.app.coarsening.rungs import coarsenings
from microveil.app.inspection import inspect
from microveil.files import Labels
from microveil.methods import Generalize

RNG = np.random.default_rng(3)


def hierarchies(name: str, values: Any) -> list[str]:
    """What the steps of a column coarsen by."""
    frame = pl.DataFrame({name: values})
    steps = coarsenings(frame[name], inspect(frame)[name], 5)
    return [
        step.hierarchy.kind() if isinstance(step, Generalize) else step.kind() for step in steps
    ]


@pytest.mark.parametrize(
    ("name", "values", "first"),
    [
        ("birth", [date(1950 + n % 60, 1 + n % 12, 3) for n in range(100)], "dates"),
        (
            "birth",
            [f"{1 + n % 28:02d}/{1 + n % 12:02d}/{1950 + n % 60}" for n in range(100)],
            "dates",
        ),
        ("diagnosis", [f"C{n:02d}" for n in range(10, 100)] * 2, "codes"),
        ("ip", [f"10.0.{n}.7" for n in range(100)], "codes"),
        ("isco", [1000 + 7 * n for n in range(100)], "codes"),
        ("zip", [f"08{n:03d}" for n in range(100)], "codes"),
        ("band", ["5-9", "10-14", "15-19", "20+"] * 30, "order"),
        ("ward", [f"W{n:02d}" for n in range(50)] * 4, "prefix"),
        ("pet", ["cat", "dog", "owl"] * 40, "group_rare"),
        ("score", RNG.normal(size=200), "intervals"),
    ],
)
def test_columns_are_coarsened_by_what_they_mean(name: str, values: Any, first: str) -> None:
    assert hierarchies(name, values)[0] == first


def test_every_rung_leaves_at_least_two_labels() -> None:
    regions = pl.DataFrame({"region": [f"r{n}" for n in range(50)] * 20})
    ladder = ladder_of(regions["region"], inspect(regions)["region"], 5)
    assert all(codes.max() > 0 for codes in ladder.rungs)


def test_leaving_a_column_out_is_the_last_resort() -> None:
    frame = pl.DataFrame({"pet": ["cat", "dog", "owl"] * 40})
    ladder = ladder_of(frame["pet"], inspect(frame)["pet"], 5, leave_out=True)
    assert ladder.usable[-1] is not None
    assert ladder.usable[-1].kind() == "drop"
    assert [step.kind() for step in ladder.usable[1:-1] if step] == []


def test_skewed_numbers_are_cut_where_the_records_are() -> None:
    pay = pl.Series("pay", RNG.lognormal(8, 1.5, 2000))
    ladder = ladder_of(pay, inspect(pay.to_frame())["pay"], 5)
    two = next(codes for codes in reversed(ladder.rungs) if codes.max() == 1)
    assert 0.3 < two.mean() < 0.7


def test_labelled_codes_are_categories_and_not_numbers() -> None:
    codes = pl.DataFrame({"marital": [1, 2, 3, 4] * 30})
    names: dict[int | float | str, str] = {1: "single", 2: "married", 3: "widowed", 4: "divorced"}
    labelled = inspect(codes, labels=Labels(values={"marital": names}))["marital"]
    assert labelled.labelled
    steps = coarsenings(codes["marital"], labelled, 3)
    assert {step.kind() for step in steps} == {"group_rare"}
    plain = inspect(codes)["marital"]
    assert not plain.labelled
    assert "group_rare" not in {step.kind() for step in coarsenings(codes["marital"], plain, 3)}
