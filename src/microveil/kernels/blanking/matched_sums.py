"""Amounts of some rows added to others that stand at the same place."""

import numpy as np

from microveil.kernels.jit import Floats, Longs, kernel


def add_matched(
    found: Floats, amounts: Floats, mine: Longs, theirs: Longs, places: Longs, share: float
) -> None:
    """Add, in place, to `found` at `mine` the share of the `amounts` at `theirs` in its place.

    `found` and `amounts` are (n, 2); `places` are whole numbers from 0 on, one per row.

    >>> found, amounts = np.zeros((3, 2)), np.ones((3, 2))
    >>> places = np.array([0, 1, 1])
    >>> add_matched(found, amounts, np.array([1]), np.array([0, 2]), places, 0.5)
    >>> found[:, 0].tolist()
    [0.0, 0.5, 0.0]
    """
    if len(mine) and len(theirs):
        n_places = int(max(places[mine].max(), places[theirs].max())) + 1
        _add_matched(found, amounts, mine, theirs, places, share, np.zeros((n_places, 2)))


@kernel
def _add_matched(
    found: Floats,
    amounts: Floats,
    mine: Longs,
    theirs: Longs,
    places: Longs,
    share: float,
    sums: Floats,
) -> None:
    for row in theirs:
        sums[places[row], 0] += amounts[row, 0]
        sums[places[row], 1] += amounts[row, 1]
    for row in mine:
        found[row, 0] += share * sums[places[row], 0]
        found[row, 1] += share * sums[places[row], 1]
