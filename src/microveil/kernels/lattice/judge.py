"""Which groups of a node must be suppressed so that the others meet all requirements.

A requirement on the table as a whole (average risk) is met by suppressing as few groups as
possible, smallest first, and among equals the least generalised first (as ARX does).
"""

import numpy as np

from microveil.arrays import Floats, Ints, Longs
from microveil.kernels.jit import kernel
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
from microveil.kernels.sorting import argsort


@kernel
def broken_groups(groups: Groups, rules: Rules, already: Ints, coarse: Floats) -> Ints:
    """1 for each group that must be suppressed; the others then meet all requirements.

    ``already`` is 1 for groups that are suppressed whatever the rules say. Checking stops as soon
    as more records are suppressed than allowed: the node is no solution. ``coarse`` says how
    coarse each group is, from 0 to 1: of groups of equal size the finest goes first.
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
        # Suppression changes the table that the others are compared with: repeat until stable.
        asking = rules.released and n_out > before
    return out


@kernel
def suppressed_records(groups: Groups, out: Ints) -> int:
    """Records in the suppressed groups."""
    total = 0
    for group in range(out.size):
        if out[group] == 1:
            total += groups.counts[group]
    return total


@kernel
def _totals_left(groups: Groups, rules: Rules, out: Ints) -> Floats:
    """Records with each sensitive value in the groups that are kept."""
    totals = rules.totals.astype(np.float64)
    for group in range(out.size):
        if out[group] == 1:
            for at in range(groups.starts[group], groups.starts[group + 1]):
                totals[groups.values[at]] -= groups.amounts[at]
    return totals


@kernel
def _judge_sizes(groups: Groups, rules: Rules, out: Ints, coarse: Floats) -> None:
    """Suppress the smallest groups as far as rules about the whole table require."""
    for rule in range(rules.kind.size):
        if rules.kind[rule] == AVERAGE:
            _bound_average(groups, rules.limit[rule], out, coarse)
        elif rules.kind[rule] == FEW_ABOVE:
            _bound_share(groups, rules.limit[rule], rules.second[rule], out, coarse)


@kernel
def _judge_all(groups: Groups, rules: Rules, out: Ints, room: int) -> None:
    """Suppress each remaining group that breaks a rule about groups.

    Stops once more than ``room`` records were suppressed here.
    """
    if rules.totals.size == 0:
        return  # no rule about a sensitive column, and groups have no entries
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
    """Share of each value of a column in the table, and the number of distinct values."""
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
    """Suppress the smallest groups until groups / records is at most the limit."""
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
    """Suppress the smallest groups until at most a share of the records exceeds the risk."""
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
    """Groups by size, smallest first; of equals the finest, then the first."""
    sizes = np.empty(counts.size)
    for group in range(counts.size):
        sizes[group] = counts[group] + coarse[group] / 2
    return argsort(sizes)


@kernel
def asks_for_sizes(rules: Rules) -> bool:
    """Whether a rule suppresses groups by size, so that ties must be broken."""
    asked = False
    for rule in range(rules.kind.size):
        asked = asked or rules.kind[rule] >= AVERAGE
    return asked
