"""What a pattern of suppressed cells must achieve, cell by cell and intruder by intruder."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from microveil.arrays import Flags, Floats, Longs
from microveil.tabulation.system import System


class Demand(NamedTuple):
    """One cell that must be able to move one way, as far as its protection level."""

    cell: int
    direction: int
    """1: above its true value, −1: below."""
    level: float
    known: tuple[int, ...] = ()
    """Further cells that this intruder knows: those to which only they contribute."""


@dataclass(frozen=True, eq=False)
class Problem:
    """Cells to protect, what each suppression costs, and which cells may be suppressed at all."""

    system: System
    unsafe: Flags
    """Cells that must be suppressed."""
    demands: tuple[Demand, ...]
    costs: Floats
    """Price of suppressing each cell; never negative."""
    fixed: Flags
    """Cells that must be published."""
    below: Floats = field(repr=False)
    """How far each cell can lie below its true value, as anyone knows: to zero, for counts."""
    above: Floats = field(repr=False)
    """How far each can lie above."""
    name_of: Callable[[int], str] = field(repr=False, default=str)
    """A cell by its codes, for messages."""

    @property
    def price_order(self) -> Longs:
        """Cells from the dearest to the cheapest; the earlier cell first among equals."""
        return np.argsort(-self.costs, kind="stable")
