"""Work: what a trial costs, counted so that the answer does not depend on the machine's load.

A unit is about a second of one core of an ordinary machine. The search stops when its work is used
up; seconds only end it earlier, on a machine that is much slower than that.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from microveil.errors import InputError
from microveil.texts import Message

USED = 0.8
"""Units of work per second that the caller grants: two cores would do more, a busy machine less."""
TRIED = 0.15
"""Units that a trial takes however few records there are."""
MEASURED = 1.2e-6
"""Units per cell for reading a release, its loss and its class sizes."""
ATTACKED = 2.5e-9
"""Units per attack, released record and column."""


@dataclass(eq=False)
class Budget:
    """The work that a search may do, and the seconds after which it stops in any case."""

    work: float
    seconds: float
    spent: float = 0.0
    started: float = field(default_factory=time.monotonic)

    @classmethod
    def of(cls, seconds: float, work: float | None = None) -> Budget:
        """The budget for a number of seconds, or with a given amount of work."""
        if not seconds > 0:
            raise InputError(
                Message(
                    "advise.no_time",
                    "The time is a positive number of seconds: give at least a few.",
                )
            )
        return cls(USED * seconds if work is None else work, seconds)

    @property
    def left(self) -> float:
        """Units of work that are left."""
        return max(self.work - self.spent, 0.0)

    @property
    def late(self) -> bool:
        """Whether the seconds are over, whatever work is left."""
        return time.monotonic() - self.started > self.seconds

    def afford(self, cost: float, share: float = 1.0) -> bool:
        """Whether a trial fits into a share of the whole work, and into the time."""
        return self.spent + cost <= self.work * share and not self.late

    def spend(self, cost: float) -> None:
        """Count what a trial cost."""
        self.spent += cost
