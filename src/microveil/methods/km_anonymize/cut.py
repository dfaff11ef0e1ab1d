"""A cut through a hierarchy of items: the label that stands for each (Terrovitis et al. 2008)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from microveil.arrays import Floats, Longs
from microveil.hierarchies import Hierarchy
from microveil.hierarchies.hierarchy import Match
from microveil.tables.values import as_text

COVERED_SHARE = 0.5
"""Share of the rare sets that one round generalises; the others are counted anew first."""


@dataclass(frozen=True, eq=False)
class Tree:
    """The labels of all levels, numbered through, and how much each gives up."""

    of_item: Longs
    """(items, levels): number of the label of each item at each level."""
    parent: Longs
    """Label one level up; −1 at the top."""
    loss: Floats
    """Share of all values that a label stands for; 0 for a value itself (NCP)."""
    texts: pl.Series

    @classmethod
    def of(cls, hierarchy: Hierarchy, match: Match) -> Tree:
        """The labels over a column's items, all of which the hierarchy lists."""
        start = np.concatenate([[0], np.cumsum(hierarchy.n_labels)])
        levels = range(hierarchy.n_levels)
        counts = np.concatenate([hierarchy.leaf_counts(level) for level in levels])
        up = [hierarchy.parents(level) + start[level + 1] for level in levels[:-1]]
        texts = pl.concat([as_text(hierarchy.labels(level)).alias("") for level in levels])
        return cls(
            hierarchy.codes[match.rows].astype(np.int64) + start[:-1],
            np.concatenate([*up, np.full(hierarchy.n_labels[-1], -1)]).astype(np.int64),
            np.where(counts > 1, counts / max(hierarchy.n_values, 1), 0.0),
            texts,
        )

    @classmethod
    def flat(cls, texts: pl.Series) -> Tree:
        """Items without a hierarchy: they can only be removed."""
        n = len(texts)
        return cls(np.arange(n)[:, None], np.full(n, -1), np.zeros(n), texts)


def raise_cut(tree: Tree, level: Longs, rare: Longs, held: Longs) -> Longs | None:
    """The level of each item, raised where rare sets need it most cheaply; None if none can rise.

    ``rare`` has the labels of rare sets, one set a row; ``held`` how many owners have each item.
    Labels are raised whole, with everything below their parent, cheapest first by sets per loss.
    """
    parents = tree.parent[rare]
    counted = parents.copy()
    for place in range(1, counted.shape[1]):  # two labels of one parent count once
        counted[(parents[:, [place]] == parents[:, :place]).any(axis=1), place] = -1
    sets, places = np.nonzero(counted >= 0)
    if not len(sets):
        return None
    names = counted[sets, places]
    cost, n_labels = _costs(tree, level, held), len(tree.parent)
    open_sets = np.ones(len(rare), dtype=np.bool_)
    enough = int(np.ceil(COVERED_SHARE * len(np.unique(sets))))
    n_covered = 0
    while n_covered < enough:
        still = open_sets[sets]
        gain = np.bincount(names[still], minlength=n_labels)
        best = int(np.argmax(gain / (cost + 1e-9)))
        touched = sets[names == best]
        n_covered += int(open_sets[touched].sum())
        open_sets[touched] = False
        level = _raise_below(tree, level, best)
    return level


def labels_at(tree: Tree, level: Longs) -> Longs:
    """Label of each item."""
    return tree.of_item[np.arange(len(level)), level]


def _raise_below(tree: Tree, level: Longs, label: int) -> Longs:
    at = int(np.flatnonzero((tree.of_item == label).any(axis=0))[0])
    below = tree.of_item[:, at] == label
    return np.where(below, np.maximum(level, at), level)


def _costs(tree: Tree, level: Longs, held: Longs) -> Floats:
    """What raising everything below a label to it would give up."""
    now = tree.loss[labels_at(tree, level)]
    cost = np.zeros(len(tree.parent))
    for column in tree.of_item.T:
        more = held * np.maximum(tree.loss[column] - now, 0.0)
        cost += np.bincount(column, weights=more, minlength=len(cost))
    return cost
