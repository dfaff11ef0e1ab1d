"""Which groups of a node must be suppressed, so that the others keep all promises.

A promise about the table as a whole (average risk) is met by suppressing the smallest groups
first, as few as needed; of equals those that are least generalised (as ARX does).
"""

import numpy as np

from microveil.kernels.jit import Floats, Ints, Longs, kernel
from microveil.kernels.lattice.groups import Groups
from microveil.kernels.lattice.rules import (
    AVERAGE,
    FEW_ABOVE,
    ROUNDING,
    TREE,
    Rules,
    Whole,
    breaks_rule,
)


@kernel
def broken_groups(groups: Groups, rules: Rules, already: Ints, coarse: Floats) -> Ints:
    """1 for each group that must be suppressed; the others then keep all promises.

    ``already`` is 1 for groups that are suppressed whatever the rules say. Once more records are
    suppressed than may be, nothing further is asked: the node is no solution. ``coarse`` says how
    coarse each group is, from 0 to 1: of groups of one size the finest goes first.
    """
    out = already.copy()
    for group in range(out.size):
        if groups.counts[group] < rules.least:
            out[group] = 1
    n_out = suppressed_records(groups, out)
    asking = rules.kind.size > 0
    while asking and n_out <= rules.most:
        before = n_out
        _judge_all(groups, rules, out, rules.most - n_out)
        n_out = suppressed_records(groups, out)
        if n_out <= rules.most:
            _judge_sizes(groups, rules, out, coarse)
            n_out = suppressed_records(groups, out)
        # What is suppressed changes what the others are compared with: ask until nothing does.
        asking = rules.released and n_out > before
    return out


@kernel
def suppressed_records(groups: Groups, out: Ints) -> int:
    """Records of the groups that are suppressed."""
    total = 0
    for group in range(out.size):
        if out[group] == 1:
            total += groups.counts[group]
    return total


@kernel
def _totals_left(groups: Groups, rules: Rules, out: Ints) -> Floats:
    """Records of each sensitive value in the groups that still stand."""
    totals = rules.totals.astype(np.float64)
    for group in range(out.size):
        if out[group] == 1:
            for at in range(groups.starts[group], groups.starts[group + 1]):
                totals[groups.values[at]] -= groups.amounts[at]
    return totals


@kernel
def _judge_sizes(groups: Groups, rules: Rules, out: Ints, coarse: Floats) -> None:
    """Suppress the smallest groups as rules about the table as a whole need it."""
    for rule in range(rules.kind.size):
        if rules.kind[rule] == AVERAGE:
            _bound_average(groups, rules.limit[rule], out, coarse)
        elif rules.kind[rule] == FEW_ABOVE:
            _bound_share(groups, rules.limit[rule], rules.second[rule], out, coarse)


@kernel
def _judge_all(groups: Groups, rules: Rules, out: Ints, room: int) -> None:
    """Suppress each group that still stands and breaks a rule about groups.

    Stops once more than ``room`` records were suppressed here.
    """
    if rules.totals.size == 0:
        return  # no sensitive column, so no rule about one, and groups have no entries
    totals = rules.totals.astype(np.float64)
    if rules.released:
        totals = _totals_left(groups, rules, out)
    dense, nodes = np.zeros(totals.size), np.zeros(rules.n_nodes)
    for rule in range(rules.kind.size):
        if rules.kind[rule] >= AVERAGE:
            continue
        shares, n_there = shares_of(totals, rules.first[rule], rules.last[rule])
        whole = Whole(shares, n_there, node_shares_of(rules, rule, shares), dense, nodes)
        for group in range(out.size):
            if out[group] == 0 and breaks_rule(groups, group, rules, rule, whole):
                out[group] = 1
                room -= groups.counts[group]
                if room < 0:
                    return


@kernel
def shares_of(totals: Floats, first: int, last: int) -> tuple[Floats, int]:
    """Share of each value of a column in the table, and how many values occur."""
    shares = np.zeros(totals.size)
    whole, n_there = 0.0, 0
    for value in range(first, last):
        whole += totals[value]
    for value in range(first, last):
        if totals[value] > 0:
            shares[value] = totals[value] / whole
            n_there += 1
    return shares, n_there


@kernel
def node_shares_of(rules: Rules, rule: int, shares: Floats) -> Floats:
    """Share of each node of a rule's tree in the table."""
    found = np.zeros(rules.n_nodes)
    if rules.kind[rule] != TREE:
        return found
    height = rules.height[rule]
    for value in range(rules.first[rule], rules.last[rule]):
        at = rules.helper[rule] + (value - rules.first[rule]) * height
        for level in range(height):
            found[rules.numbers[at + level]] += shares[value]
    return found


@kernel
def _bound_average(groups: Groups, limit: float, out: Ints, coarse: Floats) -> None:
    """Suppress the smallest groups until groups per record are at most the limit."""
    n_groups, n_records = 0, 0
    for group in range(out.size):
        if out[group] == 0:
            n_groups += 1
            n_records += groups.counts[group]
    if n_groups <= (limit + ROUNDING) * n_records:
        return
    for group in _smallest_first(groups.counts, coarse):
        if out[group] == 1:
            continue
        out[group] = 1
        n_groups -= 1
        n_records -= groups.counts[group]
        if n_groups <= (limit + ROUNDING) * n_records:
            return


@kernel
def _bound_share(groups: Groups, risk: float, share: float, out: Ints, coarse: Floats) -> None:
    """Suppress the smallest groups until few enough records have a larger risk."""
    n_above, n_records = 0, 0
    for group in range(out.size):
        if out[group] == 0:
            n_records += groups.counts[group]
            if 1.0 / groups.counts[group] > risk + ROUNDING:
                n_above += groups.counts[group]
    if n_above <= (share + ROUNDING) * n_records:
        return
    for group in _smallest_first(groups.counts, coarse):
        if out[group] == 1:
            continue
        out[group] = 1
        n_above -= groups.counts[group]
        n_records -= groups.counts[group]
        if n_above <= (share + ROUNDING) * n_records:
            return


@kernel
def _smallest_first(counts: Longs, coarse: Floats) -> Longs:
    """Groups by their size, smallest first; of equals the finest, then the one met first."""
    return np.argsort(counts + coarse / 2, kind="mergesort")


@kernel
def asks_for_sizes(rules: Rules) -> bool:
    """Whether a rule suppresses groups by their size, so that ties must be broken."""
    asked = False
    for rule in range(rules.kind.size):
        asked = asked or rules.kind[rule] >= AVERAGE
    return asked
