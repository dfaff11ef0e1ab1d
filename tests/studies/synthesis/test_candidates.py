"""All generators are tried, and methods of other families beside them."""

from __future__ import annotations

import pytest

from microveil.studies.synthesis.candidates import (
    EPSILONS,
    PLAIN,
    PRIVATE,
    beside_categories,
    beside_numbers,
    generators,
)
from microveil.synthesis import GENERATORS

DOMAIN = {"sex": ["f", "m"]}


def test_every_generator_is_listed_and_tried() -> None:
    assert set(PLAIN) | set(PRIVATE) == set(GENERATORS.classes)
    tried = list(generators(DOMAIN, numbers=True, quick=False))
    assert {name for name, _, _ in tried} == set(GENERATORS.classes)
    private = [(name, words) for name, words, _ in tried if name in PRIVATE]
    assert private == [(name, f"ε = {epsilon}") for name in PRIVATE for epsilon in EPSILONS]


def test_generators_of_numbers_are_not_asked_for_categories() -> None:
    tried = {name for name, _, _ in generators(DOMAIN, numbers=False, quick=False)}
    only = {name for name in PLAIN if GENERATORS[name].numbers_only}
    assert only
    assert tried == {*PLAIN, *PRIVATE} - only


@pytest.mark.parametrize("quick", [True, False])
def test_other_methods_are_told_apart_by_family_and_strength(*, quick: bool) -> None:
    both = [
        *beside_numbers(["x"], quick=quick),
        *beside_categories(["sex"], {}, quick=quick),
    ]
    names = [(family, words) for family, words, _ in both if family != "permute"]
    assert len(set(names)) == len(names)
    assert len(names) == (6 if quick else 18)
    assert {step.columns for _, _, step in both} == {("x",), ("sex",)}  # type: ignore[attr-defined]
