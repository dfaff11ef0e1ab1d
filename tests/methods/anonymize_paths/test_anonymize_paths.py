from __future__ import annotations

from typing import Any, Literal

import numpy as np
import polars as pl
import pytest

import microveil as mv

Knows = Literal["locations", "unique_locations", "sequence", "time", "frequency"]
ROLES = mv.Roles(entity="who")


def example(column: str) -> mv.AnonymizePaths:
    return mv.AnonymizePaths(columns=[column], k=2)


def walks(seed: int = 0, n: int = 40) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    start = pl.datetime(2024, 1, 1)
    return pl.DataFrame(
        {
            "who": np.repeat(np.arange(n), 5),
            "x": rng.integers(0, 40, 5 * n) / 4,
            "y": rng.integers(0, 8, 5 * n) / 4,
            "hour": rng.integers(0, 200, 5 * n),
        }
    ).select("who", "x", "y", at=start + pl.duration(hours="hour"))


@pytest.mark.parametrize(
    "knows", ["locations", "unique_locations", "sequence", "time", "frequency"]
)
@pytest.mark.parametrize("m", [1, 2, 3])
def test_whoever_knows_m_points_finds_k_people(knows: Knows, m: int) -> None:
    step = mv.AnonymizePaths(columns=["x", "y"], time="at", k=3, m=m, knows=knows)
    after = step.protect(mv.Table(walks(), ROLES))
    measure = mv.TrajectoryRisk(columns=["x", "y"], time="at", m=m, knows=knows)
    assert measure.measure(after).value <= 1 / 3


def test_paths_are_coarsened_only_as_far_as_needed() -> None:
    settings: dict[str, Any] = {"columns": ["x", "y"], "time": "at", "k": 3, "knows": "time"}
    step = mv.AnonymizePaths(
        **settings, cells=[1, 3, 30], periods=["hour", "day", "month"], suppression_share=0.2
    )
    outcome = step.apply(mv.Table(walks(), ROLES), np.random.default_rng(1))
    assert outcome.facts["suppressed_share"] <= 0.2
    assert outcome.facts["period"] in {"day", "month"}
    measure = mv.TrajectoryRisk(columns=["x", "y"], time="at", knows="time")
    assert measure.measure(outcome.table).value <= 1 / 3


def test_a_suppressed_point_says_neither_where_nor_when() -> None:
    frame = {
        "who": [1, 1, 2, 2],
        "place": ["a", "b", "a", "c"],
        "at": [1, 2, 1, 2],
        "pay": [5] * 4,
    }
    step = mv.AnonymizePaths(columns=["place"], time="at", k=2)
    after = step.protect(pl.DataFrame(frame), ROLES)
    assert after["place"].to_list() == ["a", None, "a", None]
    assert after["at"].to_list() == [1, None, 1, None]
    assert after["pay"].to_list() == [5] * 4


def test_items_of_lists_are_gone() -> None:
    codes = pl.DataFrame({"codes": [["b", "a"], ["b", "a"], ["a", "b"], None, []]})
    step = mv.AnonymizePaths(columns=["codes"], k=2, knows="sequence")
    after = step.protect(codes)["codes"].to_list()
    assert after[:2] == [["b", "a"]] * 2
    assert len(after[2]) == 1
    assert after[3:] == [None, []]


def test_a_goal_out_of_reach_is_said() -> None:
    step = mv.AnonymizePaths(columns=["x", "y"], k=30, suppression_share=0.01)
    with pytest.raises(mv.GoalNotReachedError, match="raise `suppression_share`"):
        step.protect(walks(), ROLES)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"cells": [1], "hierarchy": {"hierarchy": "digits"}}, "a grid or up a hierarchy"),
        ({"cells": [0]}, "above 0"),
        ({"columns": ["x", "y"], "hierarchy": {"hierarchy": "digits"}}, "one column of places"),
        ({"periods": ["day"]}, "need a `time`"),
    ],
)
def test_settings_that_do_not_fit_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(mv.SpecError, match=message):
        mv.METHODS.parse({"method": "anonymize_paths", "columns": ["x"], "k": 2, **settings})
