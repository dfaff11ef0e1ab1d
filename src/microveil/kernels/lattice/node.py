"""Examining one node of a lattice: its classes, what must be suppressed, what that costs."""

import numpy as np

from microveil.arrays import Ints, Longs
from microveil.kernels.jit import kernel
from microveil.kernels.lattice.groups import Groups, Layout, rolled_up
from microveil.kernels.lattice.judge import asks_for_sizes, broken_groups
from microveil.kernels.lattice.losses import Scales, Tally, coarseness, tally_node
from microveil.kernels.lattice.rules import Rules


@kernel
def find_suppressed(
    groups: Groups,
    layout: Layout,
    scales: Scales,
    rules: Rules,
    levels: Longs,
    already: Ints,
) -> Ints:
    """1 for each class of a node that must be suppressed, or already is."""
    coarse = np.empty(0)
    if asks_for_sizes(rules):
        coarse = coarseness(groups, layout, scales, levels)
    return broken_groups(groups, rules, already, coarse)


@kernel
def examine(
    groups: Groups,
    layout: Layout,
    scales: Scales,
    rules: Rules,
    low: Longs,
    high: Longs,
    needs: int,
) -> tuple[Groups, Ints, Tally]:
    """The classes of a node, rolled up from a finer node; which are suppressed; and the sums.

    A node that needs more suppression than allowed is no solution; how much more it needs, and
    what that would cost, is not computed.
    """
    merged, _ = rolled_up(groups, layout, low, high, rules.totals.size)
    nobody = np.zeros(merged.counts.size, np.int32)
    out = find_suppressed(merged, layout, scales, rules, high, nobody)
    return merged, out, tally_node(merged, out, layout, scales, high, needs, rules.most)
