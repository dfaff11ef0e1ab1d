from __future__ import annotations

from fractions import Fraction

import pytest

import microveil as mv
from microveil import dp
from tests.dp.sessions import FRAME, OLD, YOUNG
from tests.dp.tables import declared


def test_a_plan_splits_the_budget_and_keeps_to_it() -> None:
    queries = [dp.Count(), dp.Mean(column="age"), dp.Median(column="age")]
    made = dp.plan(queries, 1, declared(size=400), weights=[2, 1, 1])
    assert [item.spend.epsilon for item in made.items] == [
        Fraction(1, 2),
        Fraction(1, 4),
        Fraction(1, 4),
    ]
    assert made.total == dp.Loss(epsilon=1)
    assert made.frame.height == 3
    session = dp.Session(FRAME, declared(size=400), budget=1)
    assert len(made.run(session)) == 3
    assert session.left == dp.Loss()


def test_a_plan_gives_each_of_disjoint_questions_the_whole_share() -> None:
    made = dp.plan([YOUNG, OLD], 1, declared())
    assert [item.spend.epsilon for item in made.items] == [1, 1]
    assert made.total == dp.Loss(epsilon=1)


def test_a_plan_of_many_questions_takes_gaussian_noise_and_fits_the_budget() -> None:
    queries = [dp.Count(where=f"age != {number}") for number in range(50)]
    budget = dp.Loss(epsilon=1, delta="1e-6")
    made = dp.plan(queries, budget, declared())
    assert made.items[0].spend.rho
    session = dp.Session(FRAME, declared(), budget=budget, accounting="tight")
    made.run(session)
    assert session.spent.epsilon <= 1
    alone = dp.plan(queries, dp.Loss(epsilon=1), declared())
    assert made.items[0].price.error < alone.items[0].price.error / 2  # type: ignore[operator]


def test_plans_need_questions_and_sensible_weights() -> None:
    for queries, weights in (([], None), ([dp.Count()], [1, 2]), ([dp.Count()], [0])):
        with pytest.raises(mv.QueryError):
            dp.plan(queries, 1, declared(), weights=weights)
