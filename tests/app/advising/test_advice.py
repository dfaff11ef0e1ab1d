"""Advice: recipes that hold, told without a cell of the data."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from microveil.app.advising.prices import Relaxation
from microveil.errors import GoalNotReachedError, InputError
from tests.app.advising.cases import PEOPLE, found


def test_the_recipes_on_offer_hold_and_the_best_is_first() -> None:
    advice = found()
    assert advice.holds
    assert set(advice.recipes) == {"useful", "safest", "truest"}
    assert all(one.release is not None and one.release.holds for one in advice.offers)
    assert advice.candidates[0].recipe == advice.recipe
    assert advice.fits(advice.recipe)


def test_no_cell_is_in_what_is_told() -> None:
    advice = found()
    told = repr(advice) + json.dumps(advice.to_dict(), default=str)
    assert not any(name in told for name in PEOPLE["name"].unique())


def test_the_map_has_every_recipe_that_was_tried() -> None:
    advice = found()
    assert len(advice.map) == len(advice.candidates)
    assert advice.map.front
    assert advice.map.original["loss"].value == 0
    assert advice.plot() is not None


def test_without_data_the_figures_stay() -> None:
    bare = found().without_data()
    assert bare.to_dict()["offers"]["useful"]["loss"] == found().offer("useful").candidate.loss
    with pytest.raises(InputError, match="set aside"):
        _ = bare.release


def test_if_nothing_fits_the_way_out_is_told() -> None:
    relaxed = (Relaxation("5-anonymity", 5, 4, 0.2),)
    nothing = replace(found(), offers=(), relaxations=relaxed)
    assert "Relax '5-anonymity' from 5 to 4" in nothing.problem
    with pytest.raises(GoalNotReachedError, match="no useful recipe"):
        _ = nothing.recipe
    assert "strictest" in replace(nothing, relaxations=()).problem
