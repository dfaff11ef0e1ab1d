"""Candidates that meet everything come first, then those that are nearest to it."""

from __future__ import annotations

from microveil.app.advising.candidates import Candidate, Verdict
from microveil.recipes import Recipe

BARE = Recipe()


def candidate(loss: float | None, *, holds: bool, reached: float = 5) -> Candidate:
    verdict = Verdict("5-anonymity", 5, reached, holds, 0)
    return Candidate("mondrian", "k 5", BARE, holds=holds, risk=0.1, loss=loss, verdicts=(verdict,))


def test_what_counts_is_ranked_by_its_loss_and_the_rest_by_its_distance() -> None:
    good, better = candidate(0.2, holds=True), candidate(0.1, holds=True)
    near, far = candidate(0.0, holds=False, reached=4), candidate(0.0, holds=False, reached=1)
    nothing = candidate(None, holds=False)
    ranked = sorted([nothing, far, good, near, better], key=lambda one: one.rank)
    assert [id(one) for one in ranked] == [id(one) for one in (better, good, near, far, nothing)]


def test_what_is_forbidden_is_as_far_as_can_be() -> None:
    one = Candidate("pram", "", BARE, holds=False, loss=0.1, forbidden="It changes values.")
    assert one.shortfall == float("inf")
    assert one.to_dict()["problem"] == "It changes values."


def test_a_candidate_is_named_by_method_and_settings() -> None:
    assert candidate(0.1, holds=True).name == "mondrian (k 5)"
    assert Candidate("", "", BARE).name == "recipe as it was"
