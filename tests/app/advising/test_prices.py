"""What a requirement costs, and which one to relax by how much."""

from __future__ import annotations

import pytest

from microveil.app.advising.candidates import Candidate, Verdict
from microveil.app.advising.prices import prices, relaxations
from microveil.privacy import KAnonymity
from microveil.recipes import Recipe, limit
from microveil.risk import Linkability

REQUIRE = (KAnonymity(k=5), limit(Linkability(), at_most=0.1))


def tried(loss: float, k: float, linked: float) -> Candidate:
    verdicts = (
        Verdict("5-anonymity", 5, k, k >= 5, 0),
        Verdict("linkability at most 0.1", 0.1, linked, linked <= 0.1, 1),
    )
    holds = all(one.holds for one in verdicts)
    return Candidate("m", "", Recipe(), holds=holds, risk=0.1, loss=loss, verdicts=verdicts)


def test_a_price_is_the_loss_that_would_be_saved() -> None:
    found = prices(REQUIRE, [tried(0.3, 5, 0.1), tried(0.2, 5, 0.4), tried(0.05, 1, 0.05)])
    assert [one.cost for one in found] == pytest.approx([0.25, 0.1])
    assert "5-anonymity costs 0.25" in found[0].sentence()


def test_what_nothing_meets_has_no_price() -> None:
    (one, _) = prices(REQUIRE, [tried(0.2, 4, 0.4)])
    assert one.cost is None
    assert "not known" in one.sentence()


def test_the_smallest_step_that_would_do_is_told() -> None:
    found = relaxations([tried(0.2, 4, 0.1), tried(0.1, 2, 0.1), tried(0.3, 5, 0.3)])
    assert [(one.required, one.reached) for one in found] == [(5, 4), (0.1, 0.3)]
    assert "from 5 to 4" in found[0].sentence()
    assert relaxations([tried(0.2, 4, 0.4)]) == ()


def test_a_requirement_that_every_recipe_was_made_for_has_no_price() -> None:
    assert prices(REQUIRE, [tried(0.3, 5, 0.1)]) == ()
