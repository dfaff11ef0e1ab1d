"""Differential privacy in the search, from the goal to the release."""

from __future__ import annotations

import pytest

from microveil import app
from microveil.app.advising import Goal, advise
from microveil.errors import InputError
from microveil.progress import silent
from microveil.tables import Roles
from tests.app.advising.cases import PEOPLE

FRAME = PEOPLE.select("name", "sex", "age", "disease", "cost")
KEYS = Roles(identifiers=["name"], quasi_identifiers=["sex", "age"], sensitive=["disease"])
DOMAIN = {
    "sex": sorted(FRAME["sex"].unique()),
    "age": {"low": 0, "high": 110, "bins": 11},
    "disease": sorted(FRAME["disease"].unique()),
}
TABLE = {"analysis": "table", "by": ["sex"]}


def test_epsilon_needs_to_know_what_columns_may_contain() -> None:
    less = {name: one for name, one in DOMAIN.items() if name != "disease"}
    with pytest.raises(InputError, match="none for 'disease'"):
        advise(FRAME, KEYS, Goal(epsilon=1, domain=less), seconds=60, progress=silent)


def test_a_private_release_is_offered_and_its_recipe_runs() -> None:
    goal = Goal(epsilon=8, domain=DOMAIN, analyses=[TABLE])
    found = advise(FRAME, KEYS, goal, seconds=600, work=4, seed=1, progress=silent)
    assert found.holds, found.problem
    assert found.best is not None
    assert found.best.loss is not None
    assert found.best.loss < 0.3
    assert "truest" not in found.recipes
    assert any("drawn anew" in told for told in found.cautions)
    again = app.run(found.recipe, FRAME, seed=1)
    assert set(again.data.columns) == set(DOMAIN)
    assert again.table.synthetic
