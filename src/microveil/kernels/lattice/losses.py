"""The sums from which the information loss of a node is computed.

The loss from generalising a key is known beforehand for each level; a node adds the contribution
of its class sizes and its suppressed records.
"""

from typing import NamedTuple

import numpy as np

from microveil.arrays import Floats, Ints, Longs
from microveil.kernels.jit import kernel
from microveil.kernels.lattice.groups import Groups, Layout

SIZES, SHARES, MARGINS, AREAS = 0, 1, 2, 3
"""What a loss needs besides counts: nothing, shares or margins of the suppressed, or areas."""


class Scales(NamedTuple):
    """How many of its key's values each label covers."""

    start: Longs
    """(keys, levels) where a level's labels begin."""
    share: Floats
    """Share of the key's values under each label."""
    lost: Floats
    """ln(1 + loss) of each label; the loss of a value is 0, that of ``*`` is 1."""
    n_leaves: Floats
    """(keys,) number of values of each key."""


class Tally(NamedTuple):
    """The sums of one node."""

    n_suppressed: int
    n_kept_classes: int
    n_classes: int
    kept_squares: float
    """Sum of the squared sizes of the classes that are kept."""
    all_squares: float
    kept_area: float
    """Sum over kept records of the number of original combinations that match them."""
    all_area: float
    of_suppressed: Floats
    """(keys,) sum over suppressed records of shares (SHARES), or −Σ z·log₂(z/S) (MARGINS)."""


@kernel
def tally_node(
    groups: Groups,
    out: Ints,
    layout: Layout,
    scales: Scales,
    levels: Longs,
    needs: int,
    most: int,
) -> Tally:
    """Sum up a node; ``out`` is 1 for each suppressed class.

    If more than ``most`` records are suppressed, their cost is not computed.
    """
    n_suppressed, n_kept = 0, 0
    kept_squares, all_squares, kept_area, all_area = 0.0, 0.0, 0.0, 0.0
    for group in range(out.size):
        count = float(groups.counts[group])
        all_squares += count * count
        area = 0.0
        if needs == AREAS:
            area = count * _area(groups, group, layout, scales, levels)
            all_area += area
        if out[group] == 1:
            n_suppressed += groups.counts[group]
        else:
            n_kept += 1
            kept_squares += count * count
            kept_area += area
    of_suppressed = np.zeros(levels.size)
    if n_suppressed > most:
        pass
    elif n_suppressed > 0 and needs == SHARES:
        _sum_shares(groups, out, layout, scales, levels, of_suppressed)
    elif n_suppressed > 0 and needs == MARGINS:
        _sum_margins(groups, out, layout, n_suppressed, of_suppressed)
    return Tally(
        n_suppressed,
        n_kept,
        out.size,
        kept_squares,
        all_squares,
        kept_area,
        all_area,
        of_suppressed,
    )


@kernel
def coarseness(groups: Groups, layout: Layout, scales: Scales, levels: Longs) -> Floats:
    """How coarse the labels of each group are: ln(1 + geometric mean loss of its keys)."""
    means = np.zeros(groups.counts.size)
    for group in range(means.size):
        for key in range(levels.size):
            at = scales.start[key, levels[key]] + _label(groups, group, layout, key)
            means[group] += scales.lost[at] / levels.size
    return means


@kernel
def _area(groups: Groups, group: int, layout: Layout, scales: Scales, levels: Longs) -> float:
    """Number of original combinations of keys that the labels of a class cover."""
    area = 1.0
    for key in range(levels.size):
        label = _label(groups, group, layout, key)
        share = scales.share[scales.start[key, levels[key]] + label]
        area *= share * scales.n_leaves[key]
    return area


@kernel
def _label(groups: Groups, group: int, layout: Layout, key: int) -> int:
    word = groups.words[group, layout.word[key]]
    return int((word >> np.uint64(layout.shift[key])) & layout.mask[key])


@kernel
def _sum_shares(
    groups: Groups, out: Ints, layout: Layout, scales: Scales, levels: Longs, sums: Floats
) -> None:
    for group in range(out.size):
        if out[group] == 1:
            for key in range(levels.size):
                at = scales.start[key, levels[key]] + _label(groups, group, layout, key)
                sums[key] += groups.counts[group] * scales.share[at]


@kernel
def _sum_margins(
    groups: Groups, out: Ints, layout: Layout, n_suppressed: int, sums: Floats
) -> None:
    for key in range(sums.size):
        margin = np.zeros(np.int64(layout.mask[key]) + 1)
        for group in range(out.size):
            if out[group] == 1:
                margin[_label(groups, group, layout, key)] += groups.counts[group]
        for label in range(margin.size):
            if margin[label] > 0:
                sums[key] -= margin[label] * np.log2(margin[label] / n_suppressed)
