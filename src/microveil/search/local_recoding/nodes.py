"""Full-domain generalisation as a yardstick: local recoding must not lose more than it does."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from microveil.arrays import Ints
from microveil.search.local_recoding.orders import levels_by_cost, mean_costs
from microveil.search.local_recoding.space import RecodingSpace

if TYPE_CHECKING:
    from microveil.kernels.lattice.rules import Rules

MOST_WORK = 50_000_000
"""Largest rows × nodes to examine; a larger table keeps what was found before."""


def best_node(
    space: RecodingSpace,
    k: int,
    most_suppressed: int,
    below: float,
    rules: Rules | None = None,
    accepts: Callable[[Ints], bool] | None = None,
) -> Ints | None:
    """Class of each row (−1: suppressed) at the best node whose mean cost is under `below`.

    Nodes are examined from the cheapest up to those whose labels alone cost that much, so there are
    few of them if local recoding has done well. None if no node is better. Classes satisfy `rules`;
    for anything else, `accepts` is asked.
    """
    from microveil.kernels.recoding.sweep import records_in_groups

    levels = levels_by_cost(space, 1.0)
    means = mean_costs(space)
    costs = np.sum([mean[levels[:, j]] for j, mean in enumerate(means)], axis=0)
    n_nodes = min(int(np.searchsorted(costs, below)), MOST_WORK // max(len(space.codes), 1))
    if n_nodes == 0:
        return None
    levels = levels[:n_nodes]
    there = records_in_groups(space.codes, space.weights, k, space.trees, levels)
    best = None
    for i in np.flatnonzero(space.n_records - there <= most_suppressed):
        if costs[i] >= below:
            break
        labels = _classes_at(space, levels[i : i + 1], k, rules)
        out = labels < 0
        if out.all() or int(space.weights[out].sum()) > most_suppressed:
            continue
        paid = _mean_cost(space, labels)
        if paid < below and (accepts is None or accepts(labels)):
            best, below = labels, paid
    return best


def _classes_at(space: RecodingSpace, node: Ints, k: int, rules: Rules | None) -> Ints:
    from microveil.kernels.recoding.sweep import sweep_levels, sweep_levels_where

    if rules is None:
        return sweep_levels(space.codes, space.weights, k, space.trees, node)
    asked = rules._replace(least=max(k, rules.least))
    return sweep_levels_where(space.codes, space.groups, space.trees, node, asked)


def _mean_cost(space: RecodingSpace, labels: Ints) -> float:
    """Mean cost of a record for the labels that its class has in common; 1 if suppressed."""
    from microveil.kernels.recoding.merge import paid_by_classes

    kept = labels >= 0
    paid = paid_by_classes(space.codes[kept], space.weights[kept], labels[kept], space.trees)
    return float(paid + space.weights[~kept].sum()) / space.n_records
