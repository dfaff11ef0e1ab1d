"""What a run from file to file tells: measured when asked for, and no cell of the data."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import pytest

import microveil as mv
from microveil.app.assessing import assess
from microveil.app.file_runs.result import FileRun
from microveil.privacy import Check
from microveil.risk import Assessment
from microveil.scores import Score

ROLES = mv.Roles(quasi_identifiers=["town"])
BEFORE = assess({"town": ["SECRET", "b", "b"]}, ROLES)
AFTER = assess({"town": ["b", "b"]}, ROLES)
LOST = Score(measure="cell_changes", value=0.3, parts={"removed_share": 0.3})


@dataclass
class Noted:
    """Notes what it is asked for."""

    asked: list[tuple[str, bool]] = field(default_factory=list)

    @property
    def utility(self) -> dict[str, Score]:
        return {"cell_changes": LOST}

    @property
    def cell_changes(self) -> Score:
        return LOST

    def assess_before(self, *, models: bool) -> Assessment:
        self.asked.append(("before", models))
        return BEFORE

    def assess_after(self, *, models: bool) -> Assessment:
        self.asked.append(("after", models))
        return AFTER


def run_of(*holds: bool, **more: Any) -> tuple[FileRun, Noted]:
    checks = [mv.KAnonymity(k=2 if one else 9).check(mv.Table({"a": [1, 1]}, _A)) for one in holds]
    measured = Noted()
    return FileRun(tuple(checks), (), 2, 1, measured, **more), measured


_A = mv.Roles(quasi_identifiers=["a"])


@pytest.mark.parametrize("holds", [(), (True,), (True, False), (False, True)])
def test_a_run_holds_if_every_check_does(holds: tuple[bool, ...]) -> None:
    run, _ = run_of(*holds)
    assert all(isinstance(check, Check) for check in run.checks)
    assert run.holds is all(holds)


def test_what_is_costly_is_measured_once_and_only_when_asked() -> None:
    run, measured = run_of(True)
    assert measured.asked == []
    assert run.outline == (BEFORE, AFTER)
    assert run.outline[0].k == 1
    assert measured.asked == [("before", False), ("after", False)]
    assert (run.after, run.after, run.before) == (AFTER, AFTER, BEFORE)
    assert measured.asked[2:] == [("after", True), ("before", True)]


def test_if_a_requirement_is_not_met_class_sizes_are_all_that_is_measured() -> None:
    run, measured = run_of(True, False)
    told = run.to_dict()
    assert (told["holds"], told["utility"], told["utility_details"]) == (False, {}, {})
    assert (told["risk"]["k"], told["risk"]["before"]["k"]) == (2, 1)
    assert measured.asked == [("before", False), ("after", False)]


def test_plain_data_hold_no_value_of_a_class() -> None:
    run, _ = run_of(True, warnings=("look",), seconds=1.23456)
    told = run.to_dict()
    assert "SECRET" in json.dumps(BEFORE.to_dict(), default=str)
    assert "SECRET" not in json.dumps(told, allow_nan=False)
    assert told["risk"]["before"]["worst"]
    assert not any("values" in worst for worst in told["risk"]["before"]["worst"])
    assert (told["holds"], told["n_records"], told["seconds"]) == (True, 2, 1.235)
    assert told["utility"] == {"cell_changes": 0.3}
    assert told["risk"]["k"] == 2
    assert told["risk"]["before"]["k"] == 1
    assert "privacy_loss" not in told
    assert run_of(privacy_loss={"epsilon": 1.0})[0].to_dict()["privacy_loss"] == {"epsilon": 1.0}
