"""Primary rules: which cells would give a contributor away."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from microveil.arrays import Flags, Floats
from microveil.specs import Spec
from microveil.tabulation.cells import Cells

Weighting = Literal["sample", "represented"]
"""What a sampling weight means for a dominant contributor. ``sample``: one contributor, whose
weight counts in the cell's total only. ``represented``: as many contributors as the weight says."""


class Judgement(NamedTuple):
    """The unsafe cells, and how wide an intruder's interval must be."""

    unsafe: Flags
    upper: Floats
    """How far above the true value the interval must reach; 0: it must only not be exact."""
    lower: Floats
    """How far below."""


class PrimaryRule(Spec):
    """A rule that finds the cells which may not be published as they are."""

    tag: ClassVar[str | None] = "rule"
    looks_at_empty: ClassVar[bool] = False
    """Whether the rule needs the empty cells of a table."""

    @abstractmethod
    def judge(self, cells: Cells) -> Judgement:
        """Find the unsafe cells and their protection levels."""

    def waivers(self, cells: Cells) -> Flags:
        """Cells that those whom the rule protects agreed to publish: the largest contributor."""
        return cells.top_waived

    def find(self, cells: Cells) -> Judgement:
        """What the rule finds, but for cells that are exempt or that contributors agreed to."""
        found = self.judge(cells)
        kept = found.unsafe & ~cells.exempt & ~self.waivers(cells)
        return Judgement(kept, np.where(kept, found.upper, 0.0), np.where(kept, found.lower, 0.0))

    def describe(self) -> str:
        """The rule in one line, for reports."""
        return self.summary()


def judgement(unsafe: Flags, levels: Floats) -> Judgement:
    """A judgement with the same level above and below, never below an empty cell."""
    upper = np.where(unsafe, np.maximum(levels, 0.0), 0.0)
    return Judgement(unsafe, upper, upper.copy())


def dominant(cells: Cells, n: int, weighting: Weighting) -> Floats:
    """What the n largest contributors add to each cell."""
    if weighting == "sample":
        return np.asarray(cells.largest[:, :n].sum(axis=1))
    counted = np.minimum(np.cumsum(cells.weights, axis=1), n)
    shares = np.diff(counted, axis=1, prepend=0.0)
    return np.asarray((cells.largest * shares).sum(axis=1))


def remainder(cells: Cells, n: int, weighting: Weighting) -> Floats:
    """What all but the n largest contributors add to each cell.

    ``represented``: the weights are public, so that what the largest stand for is known, too.
    """
    shown = cells.largest[:, :n]
    if weighting == "represented":
        shown = shown * np.maximum(cells.weights[:, :n], 1.0)
    return np.asarray(cells.sizes - shown.sum(axis=1))
