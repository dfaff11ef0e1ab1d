"""All who measure a pair do so by one loop: the same gates, the same numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.reports import summarize
from microveil.scores import Score
from microveil.tables import Table

WORDS = pl.DataFrame({"sex": ["f", "m"] * 30, "town": ["a", "b", "c"] * 20, "ill": ["x", "y"] * 30})
ROLES = mv.Roles(quasi_identifiers=["sex", "town"], sensitive=["ill"])
RECIPE = mv.Recipe(roles=ROLES, steps=[mv.Pram(columns=["ill"], retention=0.9)])


def test_no_measure_of_numbers_is_taken_of_a_table_without_numbers() -> None:
    release = mv.run(RECIPE, WORDS, seed=1)
    compared = mv.compare(WORDS, release.table, recipe=RECIPE)
    explored = mv.explore(WORDS, RECIPE, utility=["il1s", "cell_changes"], seed=1)
    report = summarize(release)
    assert report.utility is not None
    assert report.utility.scores is not None
    assert "il1s" not in release.utility
    assert "il1s" not in compared.utility
    assert "il1s" not in explored.points[0].by_axis
    assert "il1s" not in report.utility.scores
    reasons = [
        release.not_measured["il1s"],
        compared.skipped["il1s"],
        str(explored.points[0].problem),
        (report.utility.not_taken or {})["il1s"],
        (report.risk_not_taken or {})["interval_disclosure"],
    ]
    assert all("no column of numbers" in reason for reason in reasons)


def test_a_measure_that_fails_is_told_of_everywhere(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def fail(*_: object, **__: object) -> Score:
        raise np.linalg.LinAlgError("cell SECRET")

    monkeypatch.setattr(mv.CellChanges, "score", fail)
    monkeypatch.setattr(mv.Discernibility, "score", fail)
    monkeypatch.setattr(mv.IndividualRisk, "score", fail)
    release = mv.run(RECIPE, WORDS, seed=1)
    compared = mv.compare(WORDS, release.table, recipe=RECIPE)
    assessed = mv.assess(WORDS, ROLES)
    explored = mv.explore(WORDS, RECIPE, risk="individual_risk", utility="discernibility", seed=1)
    report = summarize(release)
    assert "discernibility" in release.not_measured
    assert {"discernibility", "individual_risk"} <= set(compared.skipped)
    assert "individual_risk" in assessed.skipped
    assert "equation" in str(explored.points[0].problem)
    assert "individual_risk" in (report.risk_not_taken or {})
    text = release.report(tmp_path / "report.html").read_text()
    assert "SECRET" not in text


def test_numbers_near_the_limits_leave_every_run_whole() -> None:
    frame = pl.DataFrame(
        {
            "x": [1e308, -1e308, 1.0, 2.0, 5e307],
            "n": [2**63 - 1, -(2**63), 0, 1, 2],
            "sex": ["f", "m", "f", "m", "f"],
        }
    )
    roles = mv.Roles(quasi_identifiers=["sex"], insensitive=["x", "n"])
    found = mv.compare(frame, frame.reverse(), roles, aligned=True, measures="all")
    every = {**found.risk, **found.utility}
    assert all(np.isfinite(score.value) for score in every.values())
    release = mv.run(mv.Recipe(roles=roles), frame)
    assert release.utility["cell_changes"].value == 0


def test_blanks_are_read_as_the_recipe_reads_them() -> None:
    frame = pl.DataFrame({"sex": ["f", "f", "f", None], "town": ["a", "a", None, "b"]})
    roles = mv.Roles(quasi_identifiers=["sex", "town"])
    recipe = mv.Recipe(roles=roles, missing="wildcard")
    release = mv.run(recipe, frame)
    risk = mv.IndividualRisk(missing="wildcard").measure(Table(frame, roles)).value
    explored = mv.explore(frame, recipe, risk="individual_risk", utility="cell_changes")
    compared = mv.compare(frame, release.table, recipe=recipe)
    report = (summarize(release).risk_scores or {})["individual_risk"]
    assert explored.points[0].value("individual_risk") == risk
    assert compared.risk["individual_risk"].value == risk
    assert report["before"]["value"] == report["after"]["value"] == risk
    assert compared.after.k == release.risk.k == release.risk_before.k
