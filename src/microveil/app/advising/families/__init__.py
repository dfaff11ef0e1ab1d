"""Families: the ways to protect a table that are searched, with what is known about each."""

from __future__ import annotations

from collections.abc import Mapping

from microveil.app.advising.families.base import At, Family, Knowledge, Plan
from microveil.app.advising.families.coarsening import CoarsenThenCells, CoarsenThenRecords
from microveil.app.advising.families.grouping import GroupThenCells
from microveil.app.advising.families.perturbing import (
    Averages,
    KeyAverages,
    Noise,
    PerturbedKeys,
    RandomCategories,
    Shuffles,
    SwappedPlaces,
    Swaps,
)
from microveil.app.advising.families.searching import Lattice, Partitions, Recoding
from microveil.app.advising.families.synthesizing import PrivateSynthesis, Synthesis
from microveil.app.advising.families.untouched import AsTheyAre

FAMILIES: Mapping[str, Family] = {
    one.name: one
    for one in (
        AsTheyAre(),
        CoarsenThenCells(),
        CoarsenThenRecords(),
        GroupThenCells(),
        Partitions(),
        Recoding(),
        Lattice(),
        KeyAverages(),
        PerturbedKeys(),
        SwappedPlaces(),
        Averages(),
        Swaps(),
        Noise(),
        Shuffles(),
        RandomCategories(),
        Synthesis(),
        PrivateSynthesis(),
    )
}
"""In the order in which they are tried."""

__all__ = ["FAMILIES", "At", "Family", "Knowledge", "Plan"]
