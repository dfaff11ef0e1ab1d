"""The rule for the public, held against every parameter that exists."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

import microveil as mv
from microveil.reports import summarize
from microveil.reports.parameters import COLUMNS, shown_parameters
from microveil.specs import Spec
from tests.conformance import cases

SPECS: list[type[Spec]] = [*mv.METHODS, *mv.MODELS]
HOW_STRONG = {"k", "l", "sd", "sd_share", "range_share", "retention", "matrix", "epsilon", "share"}
"""Parameters by which noise is filtered, swaps undone, or groups guessed."""
PRIVATE = {"dp_microaggregate"}
"""Steps whose promise holds against whoever knows all their parameters."""


def parameters(spec: type[Spec]) -> set[str]:
    return {name for name in spec.model_fields if name != spec.tag}


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.kind())
def test_a_spec_names_parameters_that_it_has_and_none_twice(spec: type[Spec]) -> None:
    named = [*spec.public_parameters, *spec.secret_parameters]
    assert set(named) <= parameters(spec)
    assert len(named) == len(set(named))
    assert COLUMNS.isdisjoint(named)


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.kind())
def test_how_strong_a_protection_is_stays_internal(spec: type[Spec]) -> None:
    if spec.kind() not in PRIVATE:
        assert HOW_STRONG.isdisjoint(spec.public_parameters)


def test_a_new_spec_tells_the_public_nothing_unless_it_says_so() -> None:
    class New(Spec):
        """A spec nobody has decided about."""

        strength: float = 0.5
        label: str = "x"
        key_file: str = "k"
        public_parameters: ClassVar[tuple[str, ...]] = ("label",)

    spec = New(strength=0.7, label="y", key_file="my.key")
    assert shown_parameters(spec, "public") == {"label": "y"}
    assert shown_parameters(spec, "internal") == {"strength": 0.7, "label": "y"}


@pytest.mark.parametrize("audience", ["internal", "public"])
def test_nothing_that_leads_to_a_key_is_shown(audience: Any) -> None:
    step = mv.Pseudonymize(columns="x", key_env="OTHER_KEY", style="uuid")
    assert shown_parameters(step, audience) == {"style": "uuid"}


@pytest.mark.parametrize("name", list(cases.METHODS))
def test_the_public_summary_of_every_method_keeps_the_rule(name: str) -> None:
    release = released(name)
    (step,) = summarize(release, "public").to_dict()["steps"]

    assert "facts" not in step
    assert set(step.get("parameters", {})) <= set(mv.METHODS[name].public_parameters)


def released(name: str) -> mv.Release:
    """A release by this method alone, on the first kind of column that it takes."""
    for column in ("integers", "strings", "floats", "dates"):
        frame = cases.frame_with(cases.COLUMNS[column])
        recipe = mv.Recipe(roles=cases.roles(), steps=[cases.METHODS[name]("x")], undeclared="keep")
        try:
            return mv.run(recipe, frame, seed=1)
        except mv.InputError:
            continue
    raise AssertionError(name)
