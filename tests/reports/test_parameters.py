"""The rule for the public, held against every parameter that exists."""

from __future__ import annotations

from typing import Any

import pytest

import microveil as mv
from microveil.reports import summarize
from microveil.reports.parameters import COLUMNS, INTERNAL, PUBLIC, SECRET, shown_parameters
from microveil.specs import Spec
from tests.conformance import cases

SPECS: list[type[Spec]] = [*mv.METHODS, *mv.MODELS]
MEASURES: list[type[Spec]] = [*mv.RISK_MEASURES, *mv.UTILITY_MEASURES, *mv.HIERARCHIES]
HOW_STRONG = {"k", "l", "sd", "sd_share", "range_share", "retention", "matrix", "epsilon", "share"}
"""Parameters by which noise is filtered, swaps undone, or groups guessed."""
PRIVATE = {"dp_microaggregate"}
"""Steps whose promise holds against whoever knows all their parameters."""


def parameters(spec: type[Spec]) -> set[str]:
    return {name for name in spec.model_fields if name != spec.tag} - COLUMNS


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.kind())
def test_every_parameter_is_classified_once(spec: type[Spec]) -> None:
    lists = [table.get(spec.kind(), frozenset()) for table in (PUBLIC, INTERNAL, SECRET)]
    classified = [name for one in lists for name in one]
    missing = parameters(spec) - set(classified)

    assert not missing, (
        f"{spec.kind()}: may the public read {sorted(missing)}? Decide it in "
        "src/microveil/reports/parameters.py."
    )
    assert len(classified) == len(set(classified))
    assert set(classified) == parameters(spec), "no list names a parameter that does not exist"


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.kind())
def test_how_strong_a_protection_is_stays_internal(spec: type[Spec]) -> None:
    if spec.kind() not in PRIVATE:
        assert HOW_STRONG.isdisjoint(PUBLIC.get(spec.kind(), ()))


@pytest.mark.parametrize("spec", [*SPECS, *MEASURES], ids=lambda spec: spec.kind())
def test_the_public_reads_only_what_is_listed(spec: type[Spec]) -> None:
    given: dict[str, Any] = dict.fromkeys([*spec.model_fields, "new_one"], 1)

    told = set(shown_parameters(spec.kind(), given, "public"))

    assert told <= PUBLIC.get(spec.kind(), frozenset())


@pytest.mark.parametrize("audience", ["internal", "public"])
def test_nothing_that_leads_to_a_key_is_shown(audience: Any) -> None:
    for kind, names in SECRET.items():
        assert shown_parameters(kind, dict.fromkeys(names, "x"), audience) == {}
    for name in ("seed", "key", "salt", "key_file"):
        assert shown_parameters("round", {name: 1}, audience) == {}


@pytest.mark.parametrize("name", list(cases.METHODS))
def test_the_public_summary_of_every_method_keeps_the_rule(name: str) -> None:
    release = released(name)
    (step,) = summarize(release, "public").to_dict()["steps"]

    assert "facts" not in step
    assert set(step.get("parameters", {})) <= PUBLIC.get(name, frozenset())


def released(name: str) -> mv.Release:
    """A release by this method alone, on the first kind of column that it takes."""
    for column in ("integers", "strings", "floats"):
        frame = cases.frame_with(cases.COLUMNS[column])
        recipe = mv.Recipe(roles=cases.roles(), steps=[cases.METHODS[name]("x")], undeclared="keep")
        try:
            return mv.run(recipe, frame, seed=1)
        except mv.InputError:
            continue
    raise AssertionError(name)
