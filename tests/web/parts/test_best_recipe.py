"""What was typed becomes a goal."""

from __future__ import annotations

from pathlib import Path

import pytest

from microveil.app.advising import Candidate, Goal
from microveil.app.advising.goal import LOSSES
from microveil.errors import InputError
from microveil.texts import COMPLETE
from microveil.texts.catalogue import catalogue
from microveil.web.parts.best_recipe import goal_of, loss_of, name_candidate
from tests.web.drawing import paper


def test_an_empty_form_is_the_default_goal() -> None:
    assert goal_of({}) == Goal(truthful=True)


def test_shares_are_typed_in_percent_with_either_decimal_mark() -> None:
    goal = goal_of({"max_risk": "2,5", "max_loss": "10", "k": "7", "loss": "cell_changes"})
    assert [one.to_dict() for one in goal.require] == [
        {"model": "k_anonymity", "k": 7},
        {"measure": "class_sizes", "part": "average_risk", "at_most": 0.025},
    ]
    assert goal.max_loss == pytest.approx(0.1)
    assert goal.loss == loss_of(goal) == "cell_changes"


def test_predictions_need_a_column() -> None:
    with pytest.raises(InputError, match="predict"):
        goal_of({"loss": "prediction"})
    goal = goal_of({"loss": "prediction", "target": "age"})
    assert [one.target for one in goal.analyses] == ["age"]
    assert loss_of(goal) == "prediction"


def test_what_is_no_number_is_told() -> None:
    with pytest.raises(InputError, match="percent"):
        goal_of({"max_risk": "little"})


def test_every_loss_has_a_name_in_every_language() -> None:
    for texts in (catalogue(one).sentences for one in COMPLETE):
        assert all(f"best.{one}" in texts for one in LOSSES)


def test_a_candidate_is_named_with_its_settings(tmp_path: Path) -> None:
    page = paper(tmp_path)
    told = {
        detail: name_candidate(page, Candidate("local_recoding", detail, page.project.recipe))
        for detail in ("5%, k 4", "0%, k 12", "strict, k 3")
    }
    assert told["5%, k 4"] == "Local recoding (up to 5% suppressed, k = 4)"
    assert told["0%, k 12"] == "Local recoding (nothing suppressed, k = 12)"
    assert told["strict, k 3"] == "Local recoding (strict, k = 3)"
