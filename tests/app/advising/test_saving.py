"""A finished trial is found again, unless anything that it depends on has changed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from microveil.app.advising.families import Plan
from microveil.app.advising.saving import Trials
from microveil.errors import FileError
from tests.app.advising.cases import PEOPLE, judge, situation

PLAN = Plan("mondrian", (1, "strict", "widest"))


def test_a_trial_is_saved_and_found_again(tmp_path: Path) -> None:
    one = judge()
    trials = Trials.open(tmp_path, one.here, 1)
    assert trials.load(PLAN, 0, one.candidate_of) is None
    found = one.trial(PLAN, 0)
    trials.save(PLAN, 0, found)
    again = trials.load(PLAN, 0, one.candidate_of)
    assert again is not None
    assert replace(again, verdicts=()) == replace(found, verdicts=())
    assert [v.to_dict() for v in again.verdicts] == [v.to_dict() for v in found.verdicts]


def test_another_goal_seed_or_rung_is_another_trial(tmp_path: Path) -> None:
    one = judge()
    Trials.open(tmp_path, one.here, 1).save(PLAN, 0, one.trial(PLAN, 0))
    assert Trials.open(tmp_path, one.here, 2).load(PLAN, 0, one.candidate_of) is None
    assert Trials.open(tmp_path, one.here, 1).load(PLAN, 1, one.candidate_of) is None
    other = situation(weights={"age": 2})
    assert Trials.open(tmp_path, other, 1).load(PLAN, 0, one.candidate_of) is None


def test_no_cell_and_no_seed_is_on_disk(tmp_path: Path) -> None:
    one = judge()
    Trials.open(tmp_path, one.here, 1).save(PLAN, 0, one.trial(PLAN, 0))
    (path,) = tmp_path.iterdir()
    told = path.read_text(encoding="utf-8")
    assert not any(name in told for name in PEOPLE["name"].unique())


def test_broken_files_are_made_again_and_no_folder_is_told(tmp_path: Path) -> None:
    one = judge()
    trials = Trials.open(tmp_path, one.here, 1)
    trials.save(PLAN, 0, one.trial(PLAN, 0))
    (path,) = tmp_path.iterdir()
    path.write_text("{", encoding="utf-8")
    assert trials.load(PLAN, 0, one.candidate_of) is None
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(FileError, match="no folder"):
        Trials.open(tmp_path / "file", one.here, 1)
    assert Trials.open(None, one.here, 1).load(PLAN, 0, one.candidate_of) is None
