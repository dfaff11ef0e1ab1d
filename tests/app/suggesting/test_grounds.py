"""A proposed k states its ground."""

from __future__ import annotations

import pytest

import microveil as mv
from microveil.app.suggesting import AUDIENCES, ground_for
from tests.app.suggesting.test_use_case import survey


@pytest.mark.parametrize(("audience", "k"), [("public", 11), ("research", 5), ("internal", 3)])
def test_who_reads_the_data_decides_about_k(audience: str, k: int) -> None:
    ground = ground_for(1_000, audience)
    assert ground.k == k
    assert ground.why.startswith(f"k = {k}, because")
    assert ground.highest_risk == pytest.approx(1 / k)


def test_otherwise_the_number_of_people_does() -> None:
    assert "for 60,000 people" in ground_for(60_000, entity=True).why
    assert ground_for(60_000).k < ground_for(1_000).k


def test_every_audience_has_a_reason_of_its_own() -> None:
    assert len({ground_for(10, one).why for one in AUDIENCES}) == len(AUDIENCES)


def test_protect_says_for_whom_and_holds() -> None:
    release = mv.protect(survey(300), audience="internal", seed=1)
    assert release.holds
    assert release.recipe.models == (mv.KAnonymity(k=3),)
    assert release.recipe.limits
    assert any("stay in the house" in note for note in release.notes)


def test_an_unknown_audience_is_named() -> None:
    with pytest.raises(mv.InputError, match=r"no audience 'publik'. Did you mean 'public'"):
        mv.protect(survey(30), audience="publik")  # type: ignore[call-overload]  # a mistake
