from __future__ import annotations

import numpy as np
import pytest

from microveil.search.local_recoding.orders import levels_by_cost, mean_costs, orders_by_likeness
from tests.search.local_recoding.cases import FRAME, recoding_space


def test_the_mean_cost_of_a_level_counts_every_record() -> None:
    town, sex = mean_costs(recoding_space())
    # Five records become FR (cost 2/4), three IT (1/4); each key counts for half.
    assert town.tolist() == pytest.approx([0, (5 * 2 / 4 + 3 * 1 / 4) / 8 / 2, 1 / 2])
    assert sex.tolist() == pytest.approx([0, 1 / 2])


def test_levels_come_cheapest_first_and_every_combination_once() -> None:
    space = recoding_space()
    town, sex = mean_costs(space)
    levels = levels_by_cost(space, 1.0)
    assert sorted(map(tuple, levels.tolist())) == [(i, j) for i in range(3) for j in range(2)]
    costs = [town[i] + sex[j] for i, j in levels.tolist()]
    assert costs == sorted(costs)
    few = levels_by_cost(space, 1.0, most=3)
    assert len(few) <= 4
    assert few[0].tolist() == [0, 0]


def test_a_higher_power_prefers_two_small_steps_to_a_large_one() -> None:
    space = recoding_space()
    town, sex = mean_costs(space)
    squared = [town[i] ** 2 + sex[j] ** 2 for i, j in levels_by_cost(space, 2.0).tolist()]
    assert squared == sorted(squared)


def test_similar_rows_are_close_in_most_orders() -> None:
    space = recoding_space()
    nearby = orders_by_likeness(space.codes, space, 8, np.random.default_rng(0))
    assert nearby.order.shape == (8, FRAME.n_unique())
    for order, place in zip(nearby.order, nearby.place, strict=True):
        assert sorted(order.tolist()) == list(range(len(order)))
        assert place[order].tolist() == list(range(len(order)))
        # Of each sex there is one land here, so both stay together in whatever priority.
        sexes = space.codes[order, 1]
        assert (np.diff(sexes) != 0).sum() == 1
