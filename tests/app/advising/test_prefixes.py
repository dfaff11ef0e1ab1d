"""A beginning that recipes have in common is run once, and changes nothing."""

from __future__ import annotations

from microveil.app.advising.prefixes import Prefixes, changes_values
from microveil.app.running import run
from microveil.methods import AdditiveNoise, Drop, Mondrian, RankSwap
from microveil.recipes import Recipe
from tests.app.advising.cases import PEOPLE, ROLES, situation

FIRST = (Drop(columns=["name"]), Mondrian(k=5))


def recipe(*steps: object) -> Recipe:
    return Recipe(roles=ROLES, steps=[*FIRST, *steps])  # type: ignore[list-item]  # methods


def test_a_cached_beginning_gives_the_release_of_a_run() -> None:
    prefixes, table = Prefixes(choosing=3, final=4), situation().table
    noisy = recipe(AdditiveNoise(columns=["cost"], sd_share=0.1))
    swapped = recipe(RankSwap(columns=["cost"], range_share=0.1))
    for one in (noisy, swapped, noisy):
        made = prefixes.finish(one, table, 0).table.frame
        assert made.equals(run(one, PEOPLE, seed=3).table.frame)
    assert prefixes.n_saved == 2 + 3


def test_what_stays_true_is_run_with_the_final_seed() -> None:
    assert not changes_values(recipe())
    assert changes_values(recipe(RankSwap(columns=["cost"], range_share=0.1)))
    prefixes = Prefixes(choosing=3, final=4)
    made = prefixes.finish(recipe(), situation().table, 0)
    assert made.table.frame.equals(run(recipe(), PEOPLE, seed=4).table.frame)


def test_samples_are_kept_apart() -> None:
    prefixes, table = Prefixes(choosing=3, final=4), situation().table
    prefixes.finish(recipe(), table, 0)
    prefixes.finish(recipe(), table, 1)
    assert prefixes.n_saved == 0
