"""Staircases: the labels of a key at each level, as numbers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from microveil.arrays import Floats, Ints
from microveil.hierarchies import STAR, Distinct, Hierarchy, HierarchyBuilder, Match, Unlisted
from microveil.tables.values import rows_of


@dataclass(frozen=True, eq=False)
class Staircase:
    """The labels of a key at each level, as numbers."""

    name: str
    distinct: Distinct
    labels: Ints
    """(levels, values + 1) label of each distinct value; the last entry is that of missing."""
    shares: Floats
    """(levels, values + 1) share of the hierarchy's values under that label.

    A missing cell counts as one value below the last level; a value that the hierarchy does not
    list, and that is published as ``*``, counts as all of them.
    """
    n_leaves: int
    """Number of values the hierarchy lists, whether or not they occur."""
    hierarchy: Hierarchy | None
    """None if there is no value at all."""
    match: Match | None
    unlisted: Unlisted
    titles: tuple[str, ...] = ()
    """What each level means, in words."""

    @property
    def height(self) -> int:
        """The last level, at which all values, including missing ones, are ``*``."""
        return len(self.labels) - 1

    def labels_of_others(self, others: Distinct) -> Ints:
        """(levels, values + 1) label of other values; −1 if no value of the column has it."""
        n_others = len(others.values)
        labels = np.full((self.height + 1, n_others + 1), -1, dtype=np.int32)
        labels[:, -1] = self.labels[:, -1]
        if self.hierarchy is not None:
            match = self.hierarchy.match(others)
            for level in range(self.height):
                # The hierarchy's values are followed by those it does not list.
                star = -1 if self.unlisted == "error" else _star(self.hierarchy, level)
                codes = np.append(self.hierarchy.codes[:, level], star)
                labels[level, :-1] = codes[match.rows]
            if self.unlisted == "error":
                labels[0, :-1] = rows_of(others.values, self.distinct.values)
        labels[-1] = 0
        return labels

    def publish(self, column: pl.Series, level: int) -> pl.Series:
        """The column at a level; at the last, missing cells are ``*`` like all others."""
        if level == 0 and self.unlisted == "error":
            return column
        if level == self.height:
            return pl.Series(self.name, [STAR], dtype=pl.String).new_from_index(0, len(column))
        if self.hierarchy is None or self.match is None:
            return column.cast(pl.String)
        return self.distinct.spread(self.hierarchy.labels_of(self.match, level))


def staircase(column: pl.Series, builder: HierarchyBuilder, unlisted: Unlisted) -> Staircase:
    """Look up a column's values in its hierarchy.

    Values that a hierarchy does not list become ``*`` on every level, if that is allowed.
    """
    distinct = Distinct.of(column)
    if not len(distinct.values):
        labels = np.zeros((2, 1), dtype=np.int32)
        ones, words = np.ones((2, 1)), ("as it is", STAR)
        return Staircase(column.name, distinct, labels, ones, 1, None, None, unlisted, words)
    hierarchy = builder.build_for(distinct)
    match = hierarchy.match(distinct)
    if unlisted == "error":
        match.require_all(builder.gap_hint)
    labels, shares = _stairs(hierarchy, match, keeps_values=unlisted == "error")
    n_leaves = hierarchy.n_values
    titles = builder.titles(hierarchy)
    return Staircase(
        column.name, distinct, labels, shares, n_leaves, hierarchy, match, unlisted, titles
    )


def _stairs(hierarchy: Hierarchy, match: Match, *, keeps_values: bool) -> tuple[Ints, Floats]:
    """Label and share of each distinct value, and of missing, at each level."""
    n_values = len(match.rows)
    labels = np.empty((hierarchy.n_levels, n_values + 1), dtype=np.int32)
    shares = np.empty((hierarchy.n_levels, n_values + 1))
    out = match.rows < 0
    for level in range(hierarchy.n_levels):
        star = _star(hierarchy, level)
        codes = np.append(hierarchy.codes[:, level], star)[match.rows]  # row −1: not listed
        share = np.append(hierarchy.leaf_counts(level) / max(hierarchy.n_values, 1), 1.0)
        if out.any():
            # Unlisted values look like a label `*` that the hierarchy itself may have here.
            share[star] = 1.0
        labels[level, :-1], shares[level, :-1] = codes, share[codes]
        labels[level, -1] = hierarchy.n_labels[level] + 1
        shares[level, -1] = 1 / max(hierarchy.n_values, 1)
    if keeps_values:
        labels[0] = np.arange(n_values + 1)  # level 0 publishes the cells as they are
    labels[-1], shares[-1] = 0, 1.0
    return labels, shares


def _star(hierarchy: Hierarchy, level: int) -> int:
    """Code of a label ``*`` at a level; the first unused code if there is none."""
    found = np.flatnonzero((hierarchy.labels(level).cast(pl.String) == STAR).to_numpy())
    return int(found[0]) if len(found) else hierarchy.n_labels[level]
