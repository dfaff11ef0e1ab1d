from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import microveil as mv
from microveil.recipes.frameworks import FRAMEWORKS
from microveil.reports.contents.checklist_items import ITEMS, SOURCES
from microveil.reports.contents.checklists import ANSWERS, Facts, checklist_of, checklists_of

GOOD = Facts(
    identifiers_left=(),
    n_contacts=0,
    k=12,
    n_unique=0,
    threshold=0.09,
    n_checks=2,
    holds=True,
    attribute_models=("l_diversity",),
    sensitive=("pay",),
    safe_harbor=True,
    earlier="Nobody is in an earlier release.",
    private=None,
    lost_share=0.1,
    n_attacks=0,
    sha256="0" * 64,
    made_by="Office",
    perturbed=False,
)
BAD: dict[str, dict[str, Any]] = {
    "identifiers": {"identifiers_left": ("name",)},
    "contacts": {"n_contacts": 3},
    "risk": {"k": 11},
    "unique": {"n_unique": 4},
    "requirements": {"holds": False},
    "attacks": {"n_attacks": 1},
    "eighteen": {"safe_harbor": False},
}
UNKNOWN: dict[str, dict[str, Any]] = {
    "contacts": {"n_contacts": None},
    "risk": {"k": None, "perturbed": True},
    "unique": {"n_unique": None},
    "attribute": {"attribute_models": ()},
    "attacks": {"n_attacks": None},
    "earlier": {"earlier": None},
    "utility": {"lost_share": None},
    "file": {"sha256": None},
    "responsible": {"made_by": None},
    "eighteen": {"safe_harbor": None},
}


def test_every_framework_has_lines_and_a_source() -> None:
    assert set(ITEMS) == set(SOURCES) == set(FRAMEWORKS)


@pytest.mark.parametrize("name", FRAMEWORKS)
def test_evidence_meets_what_evidence_can_and_leaves_the_rest_to_people(name: str) -> None:
    found = checklist_of(name, GOOD)
    told = {item.state for item in found.items}
    assert told == {"met", "open"}
    assert found.n_open == sum(how not in ANSWERS for _, _, how in ITEMS[name])


@pytest.mark.parametrize("how", ANSWERS)
def test_good_evidence_is_enough(how: str) -> None:
    assert ANSWERS[how](GOOD)[0] == "met"


@pytest.mark.parametrize("how", BAD)
def test_bad_evidence_is_told(how: str) -> None:
    assert ANSWERS[how](replace(GOOD, **BAD[how]))[0] == "not met"


@pytest.mark.parametrize("how", UNKNOWN)
def test_what_is_not_known_stays_open(how: str) -> None:
    assert ANSWERS[how](replace(GOOD, **UNKNOWN[how]))[0] == "open"


def test_a_recipe_without_requirements_checked_nothing() -> None:
    assert ANSWERS["requirements"](replace(GOOD, n_checks=0))[0] == "not met"
    assert ANSWERS["attribute"](replace(GOOD, sensitive=()))[0] == "met"


def made(**more: Any) -> Any:
    frame = {"town": ["A", "B"] * 30, "pay": [float(i % 7) for i in range(60)]}
    roles = mv.Roles(quasi_identifiers=["town"], sensitive=["pay"])
    recipe = mv.Recipe(roles=roles, require=[mv.KAnonymity(k=12)], **more)
    return mv.run(recipe, frame, seed=1)


def test_only_rules_that_the_recipe_follows_have_a_checklist() -> None:
    assert checklists_of(made()) == ()
    (found,) = checklists_of(made(follows=["iso_27559"]), None, "Office")
    by_text = {item.text: item for item in found.items}
    assert by_text["Identifiability: threshold and measure."].state == "met"
    assert "30 records" in by_text["Identifiability: threshold and measure."].evidence
    assert by_text["Governance: somebody is responsible."].state == "met"


def test_the_limit_is_that_of_the_recipe() -> None:
    limit = {"measure": "reidentification_risk", "at_most": 0.02}
    frame = {"town": ["A", "B"] * 30}
    roles = {"quasi_identifiers": ["town"]}
    recipe = mv.Recipe.parse({"roles": roles, "require": [limit], "follows": ["ema_0070"]})
    (found,) = checklists_of(mv.run(recipe, frame))
    states = {item.clause: item for item in found.items if "0.09" in item.text}
    assert states["threshold"].state == "not met"
    assert "Accepted: 0.02" in states["threshold"].evidence
