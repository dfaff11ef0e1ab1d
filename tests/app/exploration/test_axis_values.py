from __future__ import annotations

import polars as pl
import pytest

import microveil as mv
from tests.app.exploration.cases import FRAME, KEYS, SUPPRESS


def test_a_measure_that_does_not_apply_leaves_the_others() -> None:
    found = mv.explore(
        FRAME, SUPPRESS, None, risk="class_sizes", utility=["cell_changes", "il1s:columns=[sex]"]
    )

    (point,) = found.points
    assert point.value("cell_changes") is not None
    assert point.value('il1s:columns=["sex"]') is None
    assert "does not hold numbers" in str(point.problem)
    assert [one.number for one in found.front] == [0]


def test_blanks_are_read_as_the_recipe_reads_them() -> None:
    frame = pl.DataFrame({"age": [1, None, 1], "sex": ["f", "f", "f"], "pay": [1.0, 2.0, 3.0]})
    recipe = mv.Recipe(roles=KEYS, missing="wildcard")

    def highest(risk: str) -> float | None:
        found = mv.explore(frame, recipe, risk=risk, utility="cell_changes")
        return found.points[0].value(risk)

    assert highest("class_sizes") == pytest.approx(1 / 3)
    assert highest("class_sizes:missing=category") is not None


def test_an_asked_treatment_of_missing_keys_wins() -> None:
    frame = pl.DataFrame({"age": [1, None, 1], "sex": ["f", "f", "f"], "pay": [1.0, 2.0, 3.0]})
    recipe = mv.Recipe(roles=KEYS, missing="wildcard")
    found = mv.explore(
        frame, recipe, risk=mv.ClassSizes(missing="category"), utility="cell_changes"
    )

    assert next(iter(found.points[0].by_axis.values())).value == 1.0
