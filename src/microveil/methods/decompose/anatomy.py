"""Anatomy: groups in which no sensitive value occurs twice (Xiao & Tao 2006)."""

from __future__ import annotations

import numpy as np

from microveil.arrays import Longs


def largest_l(values: Longs) -> int:
    """Largest l for which l-diverse groups exist: records over those of the most common value.

    >>> largest_l(np.array([0, 0, 1, 2, 3]))
    2
    """
    if not len(values):
        return 0
    return len(values) // int(np.bincount(_dense(values)).max())


def diverse_groups(values: Longs, l: int, rng: np.random.Generator) -> Longs:  # noqa: E741  l is the trade's letter
    """Assign each record to a group, such that each group has at least l records, all different.

    Needs ``l <= largest_l(values)``. The number of groups is the largest possible, n // l; their
    sizes are as equal as possible, and they are numbered at random. Records are dealt out value by
    value like cards: no value has more records than there are groups, so no group gets one twice.
    The result matches the paper's algorithm (the l fullest buckets give one record each; the
    residue joins groups that lack its value) at the cost of one sort. Within a value, records are
    assigned at random, so the groups reveal nothing beyond themselves.
    """
    n_groups = len(values) // l
    if not n_groups:
        return np.zeros(len(values), dtype=np.int64)
    codes = _dense(values)
    rank_of_value = rng.permutation(int(codes.max()) + 1)
    order = rng.permutation(len(values))
    order = order[np.argsort(rank_of_value[codes[order]], kind="stable")]
    groups = np.empty(len(values), dtype=np.int64)
    groups[order] = rng.permutation(n_groups)[np.arange(len(values)) % n_groups]
    return groups


def _dense(values: Longs) -> Longs:
    """The codes unchanged if they are small enough to count in an array, otherwise renumbered."""
    if int(values.max()) < 4 * len(values):
        return values
    return np.unique(values, return_inverse=True)[1]
