"""What all families promise."""

from __future__ import annotations

import pytest

from microveil.app.advising.families import FAMILIES, Family
from microveil.app.advising.families.base import next_to
from microveil.methods import METHODS
from tests.app.advising.cases import LINKED, situation

HERE = situation(require=[{"model": "k_anonymity", "k": 5}, LINKED])


@pytest.mark.parametrize("name", FAMILIES)
def test_a_family_is_known_by_a_registered_method_and_says_when_and_why(name: str) -> None:
    family = FAMILIES[name]
    assert family.method in METHODS.classes
    known = family.known
    assert all((known.have, known.need, known.why, known.beware))
    assert known.why.endswith(".")
    assert known.beware.endswith(".")


def able() -> list[Family]:
    return [one for one in FAMILIES.values() if one.suits(HERE) and one.may_be_used(HERE)]


@pytest.mark.parametrize("family", able(), ids=lambda one: one.name)
def test_settings_are_plain_and_every_neighbour_has_steps(family: Family) -> None:
    starts = list(family.starts(HERE))
    assert starts
    for at in starts[:2]:
        assert hash(at) is not None
        near = [*family.around(HERE, at), *family.stronger(HERE, at)]
        assert at not in near
        for one in (at, *near[:6]):
            steps = family.steps(HERE, one)
            assert isinstance(family.detail(HERE, one), str)
            truth = not any(step.perturbative for step in steps)
            assert truth or not family.truthful


@pytest.mark.parametrize("name", FAMILIES)
def test_what_the_goal_forbids_is_not_allowed(name: str) -> None:
    family = FAMILIES[name]
    assert family.truthful or not family.may_be_used(situation(truthful=True))
    private = situation(require=[], epsilon=1.0)
    assert family.may_be_used(private) == family.synthetic


def test_neighbours_on_a_ladder() -> None:
    assert next_to(3, (3, 5, 10)) == [5]
