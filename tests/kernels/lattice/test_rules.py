from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.kernels.lattice.groups import rolled_up
from microveil.kernels.lattice.judge import node_shares_of, shares_of
from microveil.kernels.lattice.rules import (
    CHANGE,
    DISTINCT,
    ENTROPY,
    EQUAL,
    GAIN,
    ORDERED,
    RECURSIVE,
    SHARE,
    TREE,
    Rules,
    Whole,
    breaks_rule,
    no_rules,
)
from tests.kernels.latticed import N_VALUES, World, one_rule

rows = st.tuples(st.integers(0, 5), st.integers(0, 3), st.integers(0, 2))
worlds = st.lists(st.tuples(rows, st.integers(0, N_VALUES - 1)), min_size=1, max_size=25).map(
    lambda found: World([row for row, _ in found], [secret for _, secret in found])
)
nodes = st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 1))


ORDER = [2, 0, 3, 1]
# A tree of two levels over the four values: {0, 1} and {2, 3}, then the values themselves.
TREE_NODES = [4, 0, 4, 1, 5, 2, 5, 3]


SLACK = 1e-9
Shares = list[float]


def half_the_difference(p: Shares, q: Shares) -> float:
    return sum(abs(a - b) for a, b in zip(p, q, strict=True)) / 2


def recursive(p: Shares, q: Shares, limit: float, second: float) -> bool:  # noqa: ARG001
    ranked = sorted((one for one in p if one > 0), reverse=True)
    tail = sum(ranked[int(limit) - 1 :])
    return len(ranked) < limit or not ranked[0] < second * tail - SLACK


def ordered(p: Shares, q: Shares, limit: float, _: float) -> bool:
    n_present = sum(one > 0 for one in q)
    behind, moved = 0.0, 0.0
    for value in ORDER:
        behind += p[value] - q[value]
        moved += abs(behind) if q[value] > 0 else 0.0
    return (moved / (n_present - 1) if n_present > 1 else 0.0) > limit + SLACK


def by_tree(p: Shares, q: Shares, limit: float, _: float) -> bool:
    above = abs(p[0] + p[1] - q[0] - q[1])
    return (half_the_difference(p, q) + above) / 2 > limit + SLACK


def gain(p: Shares, q: Shares, limit: float, second: float) -> bool:
    worst = 0.0
    for a, b in zip(p, q, strict=True):
        if a > b:
            bound = min(limit, -np.log(b)) if second else limit
            worst = max(worst, (a - b) / b / bound)
    return worst > 1 + SLACK


def change(p: Shares, q: Shares, limit: float, _: float) -> bool:
    if any(b > 0 and a == 0 for a, b in zip(p, q, strict=True)):
        return True
    changes = [abs(float(np.log2(a / b))) for a, b in zip(p, q, strict=True) if a > 0]
    return max(changes) >= limit - SLACK


def effective(p: Shares) -> float:
    return float(np.exp(-sum(one * np.log(one) for one in p if one > 0)))


# Whether a class with shares p breaks a rule in a table with shares q, by the models' definitions.
BROKEN: dict[int, Callable[[Shares, Shares, float, float], bool]] = {
    DISTINCT: lambda p, _, limit, __: sum(one > 0 for one in p) < limit - SLACK,
    ENTROPY: lambda p, _, limit, __: effective(p) < limit - SLACK,
    RECURSIVE: recursive,
    EQUAL: lambda p, q, limit, _: half_the_difference(p, q) > limit + SLACK,
    ORDERED: ordered,
    TREE: by_tree,
    SHARE: lambda p, _, limit, __: max(p[0], p[2]) > limit + SLACK,  # only two values are meant
    GAIN: gain,
    CHANGE: change,
}
CASES = [
    (DISTINCT, 2.0, 0.0),
    (DISTINCT, 3.0, 0.0),
    (ENTROPY, 1.7, 0.0),
    (ENTROPY, 2.0, 0.0),
    (RECURSIVE, 2.0, 1.5),
    (RECURSIVE, 3.0, 4.0),
    (EQUAL, 0.3, 0.0),
    (ORDERED, 0.2, 0.0),
    (TREE, 0.25, 0.0),
    (SHARE, 0.55, 0.0),
    (GAIN, 0.7, 0.0),
    (GAIN, 2.0, 1.0),
    (CHANGE, 1.1, 0.0),
]


def rules_for(world: World, kind: int, limit: float, second: float) -> Rules:
    numbers = {ORDERED: ORDER, TREE: TREE_NODES, SHARE: [1, 0, 1, 0]}.get(kind, [0])
    return one_rule(
        world,
        kind,
        limit,
        second=np.array([second]),
        numbers=np.array(numbers, np.int32),
        height=np.array([2 if kind == TREE else 0]),
        n_nodes=6 if kind == TREE else 0,
    )


@pytest.mark.parametrize(("kind", "limit", "second"), CASES)
@given(world=worlds, node=nodes)
@settings(max_examples=40, deadline=None)
def test_a_class_breaks_a_rule_by_its_definition(
    kind: int, limit: float, second: float, world: World, node: tuple[int, ...]
) -> None:
    high = np.array(node)
    groups, _ = rolled_up(world.groups, world.layout, np.zeros(3, np.int64), high, N_VALUES)
    rules = rules_for(world, kind, limit, second)
    shares, n_there = shares_of(rules.totals.astype(float), 0, N_VALUES)
    whole = Whole(
        shares,
        n_there,
        node_shares_of(rules, 0, shares),
        np.zeros(N_VALUES),
        np.zeros(rules.n_nodes),
    )
    classes = list(world.classes(node).values())
    for group, members in enumerate(classes):
        secrets = [world.secrets[row] for row in members]
        p = [secrets.count(value) / len(secrets) for value in range(N_VALUES)]
        expected = BROKEN[kind](p, shares.tolist(), limit, second)
        assert breaks_rule(groups, group, rules, 0, whole) == expected
        # The room is handed back as it was, or the next class would see this one's values.
        assert not whole.dense.any()
        assert not whole.nodes.any()


def test_nothing_is_asked_without_rules() -> None:
    assert not len(no_rules().kind)
    assert no_rules().least == 1
