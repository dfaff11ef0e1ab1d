"""Merging: a search on codes that judges as the whole recipe is judged."""

from __future__ import annotations

from itertools import product

import numpy as np
import polars as pl
import pytest

from microveil.app.advising import Goal
from microveil.app.advising.draws import Draws
from microveil.app.advising.families import FAMILIES, Plan
from microveil.app.advising.families.merging import Merging, Setting, n_evaluations
from microveil.app.advising.judging import Judge
from microveil.app.advising.situation import Situation
from microveil.app.advising.work import Budget
from microveil.tables import Roles

RNG = np.random.default_rng(4)
FRAME = pl.DataFrame(
    {
        "town": RNG.choice(list("abcde"), 150, p=[0.4, 0.3, 0.2, 0.08, 0.02]),
        "job": RNG.choice(["cook", "nurse", "smith", "vicar"], 150, p=[0.5, 0.3, 0.17, 0.03]),
    }
)


def here(loss: str | None = None, missing: str = "category", work: float = 5.0) -> Situation:
    goal = Goal.parse(
        {"require": [{"model": "k_anonymity", "k": 5}], "missing": missing}
        | ({} if loss is None else {"loss": loss})
    )
    roles = Roles(quasi_identifiers=["town", "job"])
    return Situation.of(FRAME, roles, goal, None, Budget.of(600, work))


@pytest.mark.parametrize("missing", ["category", "wildcard"])
@pytest.mark.parametrize("loss", [None, "strategy_score"])
def test_what_the_search_reckons_is_what_the_recipe_loses(loss: str | None, missing: str) -> None:
    found = here(loss, missing)
    merging = Merging(found, (0, 0), found.units)
    judge = Judge(found, Draws.of(1))
    scale = 6 if loss else 2  # the score is a third of a mean over two keys
    for groups in ((), (0, 1, 2, 1)), ((0, 1, 1, 2, 2)[: found.units[0].n], ()):  # type: ignore[union-attr]
        at = Setting(groups, (1.0, 2.0))
        plan = Plan("group_cells", (1, (0, 0), at.importance, at.groups))
        tried = judge.trial(plan, 0)
        assert tried.loss == pytest.approx(merging.loss(at) / scale)


def test_no_grouping_of_a_small_table_is_better_than_the_one_found() -> None:
    found = here("strategy_score")
    merging = Merging(found, (0, 0), found.units)
    best = merging.best(400)[0]
    sizes = [units.n for units in found.units if units is not None]
    each = [set(product(range(n), repeat=n)) for n in sizes]
    plain = [
        merging.loss(Setting((tuple(one), tuple(other)), (1.0, 1.0)))
        for one in each[0]
        if _in_order(one)
        for other in each[1]
        if _in_order(other)
    ]
    assert merging.loss(best) <= min(plain) + 1e-12


def _in_order(groups: tuple[int, ...]) -> bool:
    return all(one <= max(groups[:place], default=-1) + 1 for place, one in enumerate(groups))


def test_it_is_tried_where_there_is_work_for_it_and_costs_what_it_says() -> None:
    family = FAMILIES["group_cells"]
    assert family.suits(here())
    assert not family.suits(here(work=0.1))
    assert 0 < family.starting_cost(here()) <= 0.4 * 5.0
    assert n_evaluations(here(missing="wildcard")) < n_evaluations(here())
