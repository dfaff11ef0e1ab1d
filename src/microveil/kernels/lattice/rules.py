"""Whether a group of records breaks a requirement on its sensitive values.

The rules are those of the privacy models, with the same tolerance for rounding.
"""

from typing import NamedTuple

import numpy as np

from microveil.arrays import Floats, Ints, Longs
from microveil.kernels.jit import kernel
from microveil.kernels.lattice.groups import Groups

DISTINCT, ENTROPY, RECURSIVE = 0, 1, 2
EQUAL, ORDERED, TREE = 3, 4, 5
SHARE, GAIN, CHANGE = 6, 7, 8
AVERAGE, FEW_ABOVE = 9, 10
ROUNDING = 1e-12
"""Tolerance within which a number counts as equal to a limit, as in the privacy models."""


class Rules(NamedTuple):
    """The requirements on every group."""

    least: int
    """Smallest size of a group."""
    most: int
    """Largest number of records that may be suppressed."""
    kind: Longs
    """(rules,) kind of each rule."""
    first: Longs
    """(rules,) number of the first value of the rule's sensitive column."""
    last: Longs
    """(rules,) one past its last value."""
    limit: Floats
    """(rules,) l, t, α, β or δ; a risk for AVERAGE and FEW_ABOVE."""
    second: Floats
    """(rules,) c of RECURSIVE, 1 for the enhanced GAIN, the share of FEW_ABOVE."""
    helper: Longs
    """(rules,) where a rule's own numbers begin: places of ORDERED, nodes of TREE, protected
    values of SHARE."""
    height: Longs
    """(rules,) levels of a TREE."""
    numbers: Ints
    """The rules' own numbers, concatenated."""
    n_nodes: int
    """Nodes of all trees."""
    totals: Longs
    """(values,) records of each sensitive value in the table."""
    released: bool
    """Whether groups are compared with the kept records instead of with the whole table."""


def no_rules() -> Rules:
    """No requirement at all."""
    longs, floats = np.empty(0, np.int64), np.empty(0)
    return Rules(
        least=1,
        most=0,
        kind=longs,
        first=longs,
        last=longs,
        limit=floats,
        second=floats,
        helper=longs,
        height=longs,
        numbers=np.empty(0, np.int32),
        n_nodes=0,
        totals=longs,
        released=False,
    )


class Whole(NamedTuple):
    """The table that groups are compared with, for one rule, and scratch space."""

    shares: Floats
    """Share of each value."""
    n_there: int
    """Number of distinct values."""
    node_shares: Floats
    """Share of each node of a tree."""
    dense: Floats
    """One per value; zero between calls."""
    nodes: Floats
    """One per node; zero between calls."""


@kernel
def breaks_rule(groups: Groups, group: int, rules: Rules, rule: int, whole: Whole) -> bool:
    """Whether a group breaks one rule."""
    kind, limit = rules.kind[rule], rules.limit[rule]
    if kind == DISTINCT:
        broken = _n_values(groups, group, rules, rule) < limit * (1 - ROUNDING)
    elif kind == ENTROPY:
        broken = _effective_values(groups, group, rules, rule) < limit * (1 - ROUNDING)
    elif kind == RECURSIVE:
        broken = _breaks_recursive(groups, group, rules, rule, whole)
    elif kind == EQUAL:
        broken = _equal_distance(groups, group, rules, rule, whole) > limit + ROUNDING
    elif kind == ORDERED:
        broken = _ordered_distance(groups, group, rules, rule, whole) > limit + ROUNDING
    elif kind == TREE:
        broken = _tree_distance(groups, group, rules, rule, whole) > limit + ROUNDING
    elif kind == SHARE:
        broken = _largest_share(groups, group, rules, rule) > limit + ROUNDING
    elif kind == GAIN:
        gain = _largest_gain(groups, group, rules, rule, whole)
        broken = gain > limit * (1 + ROUNDING) + ROUNDING
    else:
        change = _largest_change(groups, group, rules, rule, whole)
        broken = change >= limit * (1 - ROUNDING)
    return bool(broken)


@kernel
def _n_values(groups: Groups, group: int, rules: Rules, rule: int) -> int:
    """Number of different values of a group."""
    n = 0
    for at in range(groups.starts[group], groups.starts[group + 1]):
        if rules.first[rule] <= groups.values[at] < rules.last[rule]:
            n += 1
    return n


@kernel
def _n_asked(groups: Groups, group: int, rules: Rules, rule: int) -> int:
    """Records of a group with a value in the rule's sensitive column."""
    n = 0
    for at in range(groups.starts[group], groups.starts[group + 1]):
        if rules.first[rule] <= groups.values[at] < rules.last[rule]:
            n += groups.amounts[at]
    return n


@kernel
def _effective_values(groups: Groups, group: int, rules: Rules, rule: int) -> float:
    """Number of equally frequent values with the group's entropy; exact if they are so."""
    total, largest = 0.0, 0
    size = _n_asked(groups, group, rules, rule)
    for at in range(groups.starts[group], groups.starts[group + 1]):
        if rules.first[rule] <= groups.values[at] < rules.last[rule]:
            share = groups.amounts[at] / size
            total -= share * np.log(share)
            largest = max(largest, groups.amounts[at])
    n = _n_values(groups, group, rules, rule)
    return float(n) if largest * n == size else float(np.exp(total))


@kernel
def _breaks_recursive(groups: Groups, group: int, rules: Rules, rule: int, whole: Whole) -> bool:
    """Whether r₁ < c·(r_l + … + r_m) fails, counts descending.

    Only the l − 1 largest counts are sorted; the tail is the rest of the group.
    """
    n_top = int(rules.limit[rule]) - 1
    if n_top >= _n_values(groups, group, rules, rule):
        return True
    top = whole.dense[:n_top]
    for at in range(groups.starts[group], groups.starts[group + 1]):
        if rules.first[rule] <= groups.values[at] < rules.last[rule]:
            amount = float(groups.amounts[at])
            for place in range(n_top):
                if amount > top[place]:
                    amount, top[place] = top[place], amount
    sum_of_top = 0.0
    for place in range(n_top):
        sum_of_top += top[place]
    tail = _n_asked(groups, group, rules, rule) - sum_of_top
    broken = not top[0] < rules.second[rule] * tail * (1 - ROUNDING)
    for place in range(n_top):
        top[place] = 0.0
    return bool(broken)


@kernel
def _equal_distance(groups: Groups, group: int, rules: Rules, rule: int, whole: Whole) -> float:
    """Half the sum of the absolute differences of shares (total variation distance)."""
    first, last, total = rules.first[rule], rules.last[rule], 0.0
    scale = 1.0 / groups.counts[group]
    for at in range(groups.starts[group], groups.starts[group + 1]):
        value = groups.values[at]
        if first <= value < last:
            total += max(groups.amounts[at] * scale - whole.shares[value], 0.0)
    return total


@kernel
def _ordered_distance(groups: Groups, group: int, rules: Rules, rule: int, whole: Whole) -> float:
    """Mean absolute difference of the cumulative shares, over all values but the last."""
    first, last = rules.first[rule], rules.last[rule]
    for at in range(groups.starts[group], groups.starts[group + 1]):
        if first <= groups.values[at] < last:
            whole.dense[groups.values[at]] = groups.amounts[at] / groups.counts[group]
    behind, moved = 0.0, 0.0
    for place in range(last - first):
        value = first + rules.numbers[rules.helper[rule] + place]
        behind += whole.dense[value] - whole.shares[value]
        if whole.shares[value] > 0:
            moved += abs(behind)
        whole.dense[value] = 0.0
    return moved / (whole.n_there - 1) if whole.n_there > 1 else 0.0


@kernel
def _tree_distance(groups: Groups, group: int, rules: Rules, rule: int, whole: Whole) -> float:
    """Mean over the levels of the equal-distance measure between the level's nodes."""
    first, last, height = rules.first[rule], rules.last[rule], rules.height[rule]
    begin, end = groups.starts[group], groups.starts[group + 1]
    for at in range(begin, end):
        value = groups.values[at]
        if first <= value < last:
            own = rules.helper[rule] + (value - first) * height
            for level in range(height):
                share = groups.amounts[at] / groups.counts[group]
                whole.nodes[rules.numbers[own + level]] += share
    moved = 0.0
    for at in range(begin, end):
        value = groups.values[at]
        if first <= value < last:
            own = rules.helper[rule] + (value - first) * height
            for level in range(height):
                node = rules.numbers[own + level]
                moved += max(whole.nodes[node] - whole.node_shares[node], 0.0)
                whole.nodes[node] = 0.0  # a node that several values share is counted once
    return float(moved / height)


@kernel
def _largest_share(groups: Groups, group: int, rules: Rules, rule: int) -> float:
    """Largest share in the group of a value that the rule protects."""
    largest = 0
    for at in range(groups.starts[group], groups.starts[group + 1]):
        value = groups.values[at]
        if rules.first[rule] <= value < rules.last[rule]:
            meant = rules.numbers[rules.helper[rule] + value - rules.first[rule]] == 1
            if meant:
                largest = max(largest, groups.amounts[at])
    return float(largest / groups.counts[group])


@kernel
def _largest_gain(groups: Groups, group: int, rules: Rules, rule: int, whole: Whole) -> float:
    """Largest relative gain in likelihood; for the enhanced kind, relative to its own bound."""
    worst, beta = 0.0, rules.limit[rule]
    for at in range(groups.starts[group], groups.starts[group + 1]):
        value = groups.values[at]
        if rules.first[rule] <= value < rules.last[rule]:
            before = whole.shares[value]
            gain = max(groups.amounts[at] / groups.counts[group] - before, 0.0) / before
            if rules.second[rule] == 1.0 and gain > 0:
                gain = beta * gain / min(beta, -np.log(before))
            worst = max(worst, gain)
    return worst


@kernel
def _largest_change(groups: Groups, group: int, rules: Rules, rule: int, whole: Whole) -> float:
    """Largest change of a value's likelihood in bits; infinite if the group lacks a value."""
    worst, n = 0.0, 0
    for at in range(groups.starts[group], groups.starts[group + 1]):
        value = groups.values[at]
        if rules.first[rule] <= value < rules.last[rule]:
            share = groups.amounts[at] / groups.counts[group]
            worst = max(worst, abs(np.log2(share / whole.shares[value])))
            n += 1
    return np.inf if n < whole.n_there else worst
