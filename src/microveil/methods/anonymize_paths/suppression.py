"""Remove points from paths until no piece of a path is rare."""

from __future__ import annotations

import numpy as np

from microveil.arrays import Flags
from microveil.kernels.paths.subsequences import rare_points
from microveil.risk.paths.points import Knowledge, Points

PATIENT_ROUNDS = 12
"""Rounds in which points are removed from single paths; later ones remove a place from all paths,
which makes no other piece rarer, so that an end is sure."""


def remove_points(points: Points, knows: Knowledge, k: int, m: int, most: float) -> Flags | None:
    """Whether each point stays; None if more than ``most`` of them would have to go."""
    kept = np.ones(len(points.row), dtype=np.bool_)
    rounds = 0
    while True:
        paths = points.path(knows, kept)
        gone = rare_points(paths.index, k, m)
        if not gone.any():
            return kept
        if rounds >= PATIENT_ROUNDS:
            gone = np.isin(paths.index.items, paths.index.items[gone])
        kept[paths.point[gone[paths.entry]]] = False
        if (~kept).sum() > most:
            return None
        rounds += 1
