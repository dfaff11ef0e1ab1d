"""What the thesis left to future work is run where it can finish."""

from __future__ import annotations

import numpy as np
import pytest

from microveil.studies.zaragoza.later import LATER, STEPS, adult_later, left_out
from microveil.studies.zaragoza.tables import DataSet, data_sets
from microveil.tables import Table


def test_only_what_could_not_finish_is_left_out_of_a_full_run() -> None:
    gone = {
        (name, one.name)
        for one in data_sets()
        for name in LATER
        if left_out(name, one, quick=False)
    }
    assert {name for name, _ in gone} == {"Incognito"}
    assert all(name.endswith("-10") for _, name in gone)


@pytest.mark.parametrize(
    ("name", "data", "out"),
    [
        ("optimal", DataSet("independent", "linear", 1_000, 2), False),
        ("optimal", DataSet("independent", "linear", 10_000, 2), True),
        ("optimal", DataSet("independent", "linear", 1_000, 10), True),
        ("Incognito", DataSet("independent", "linear", 1_000, 1), False),
        ("local recoding", DataSet("independent", "linear", 1_000, 1), True),
    ],
)
def test_a_quick_run_leaves_large_tables_out(name: str, data: DataSet, *, out: bool) -> None:
    assert left_out(name, data, quick=True) is out
    assert not left_out(name, data, quick=False)


def test_each_maker_makes_a_step_for_its_k_and_keys() -> None:
    made = {name: make(4, ["A0"]) for name, make in LATER.items()}
    assert {step.k for step in made.values()} == {4}  # type: ignore[attr-defined]
    assert {step.columns for step in made.values()} == {("A0",)}  # type: ignore[attr-defined]
    assert made["local recoding"].steps == STEPS  # type: ignore[attr-defined]
    assert adult_later({}).keys() == LATER.keys()
    frame = DataSet("independent", "linear", 60, 1).frame()
    released = made["optimal"].apply(Table(frame), np.random.default_rng(0)).table.frame
    assert released.group_by("A0").len()["len"].min() >= 4  # type: ignore[operator]
