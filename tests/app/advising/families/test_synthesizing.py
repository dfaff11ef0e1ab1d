"""Records are drawn where analyses or ε are asked for, and no classes."""

from __future__ import annotations

from microveil.app.advising.families import FAMILIES
from tests.app.advising.cases import K5, situation

TABLE = {"analysis": "table", "by": ["sex"]}


def test_it_suits_analyses_without_a_model_that_counts_classes() -> None:
    family = FAMILIES["synthesize"]
    assert family.suits(situation(require=[], audience=None, analyses=[TABLE])) is False
    linked = {"measure": "linkability", "at_most": 0.1}
    assert family.suits(situation(require=[linked], analyses=[TABLE]))
    assert not family.suits(situation(require=[K5], analyses=[TABLE]))


def test_epsilon_and_domain_reach_the_generator() -> None:
    here = situation(require=[], epsilon=2.0, domain={"sex": ["f", "m"]})
    family = FAMILIES["synthesize_private"]
    assert family.suits(here)
    assert not FAMILIES["synthesize"].suits(here)
    dropped, step = family.steps(here, ("mst",))
    assert "age" in dropped.touches(here.table)
    plain = step.to_dict()["generator"]
    assert plain["generator"] == "mst"
    assert plain["epsilon"] == 2.0
    assert "sex" in plain["domain"]
