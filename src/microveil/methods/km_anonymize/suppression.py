"""Remove items from sets until no small set of items is rare."""

from __future__ import annotations

import numpy as np

from microveil.arrays import Flags, Longs
from microveil.privacy.parts.itemsets import Baskets, rare_occurrences

PATIENT_ROUNDS = 20
"""Rounds in which items are removed from single records; later ones remove them everywhere."""


def remove_rare(baskets: Baskets, k: int, m: int, most: float) -> Flags | None:
    """Whether each entry stays; None if more than ``most`` of them would have to go.

    Of each rare set, its record loses the item that most rare sets share, in proportion to how
    often it occurs. What is left is counted again, until nothing is rare.
    """
    kept = np.ones(len(baskets.items), dtype=np.bool_)
    rounds, size = 0, 1
    while size <= m:
        there = np.flatnonzero(kept)
        some = Baskets(
            baskets.records[there], baskets.items[there], baskets.n_records, baskets.n_items
        )
        rare = rare_occurrences(some, k, size)
        if not len(rare):
            size += 1
            continue
        gone = _choose_entries(some, rare)
        if rounds >= PATIENT_ROUNDS:
            gone = np.flatnonzero(np.isin(some.items, some.items[gone]))
        kept[there[gone]] = False
        if (~kept).sum() > most:
            return None
        rounds, size = rounds + 1, 1
    return kept


def _choose_entries(baskets: Baskets, rare: Longs) -> Longs:
    """One entry of each rare set: that of the item whose removal ends most of them."""
    items = baskets.items[rare]
    often = np.bincount(baskets.items, minlength=baskets.n_items)
    ended = np.bincount(items.ravel(), minlength=baskets.n_items) / np.maximum(often, 1)
    best = np.argmax(ended[items], axis=1)
    return np.unique(rare[np.arange(len(rare)), best])
