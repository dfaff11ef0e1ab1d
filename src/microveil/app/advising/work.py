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
TRIED = 0.06
"""Units that a trial takes however few records there are."""
MEASURED = 3e-7
"""Units per cell for reading a release, its loss and its class sizes."""
PEOPLE = 5.0
"""Times that the steps take longer where people or households have several records."""
RESERVED = 0.15
"""Share of the seconds that is kept for verifying what is offered."""
MOST_RESERVED = 0.3
"""The share that is kept where trials on all records take long."""
VERIFIED = 3
"""Releases that are verified, one for each taste; each takes about as long as a trial."""
PACE_FROM = 2.0
"""Units that count as done at once, so that a slow first trial does not end the search."""
FAMILY_PACE_FROM = 0.5
"""The same for one family, whose first trial may wait for its code to be compiled."""
BEGUN = 0.08
"""Units that an attack takes however few people it is about."""
ATTACKED = 2.5e-9
"""Units per attack, released record and column."""


@dataclass(eq=False)
class Budget:
    """The work that a search may do, and the seconds after which it stops in any case."""

    work: float
    seconds: float
    spent: float = 0.0
    started: float = field(default_factory=time.monotonic)
    done: float = 0.0
    """Units of trials that are over."""
    stopped: bool = False
    """Whether time, not work, ended the search."""
    longest: float = 0.0
    """Seconds of the longest trial on all records."""
    paces: dict[str, float] = field(default_factory=dict)
    """Seconds per unit of the latest trial of each family: what is counted is a rough estimate."""
    _began: float | None = None

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
        """Whether the seconds are over but for what verifying needs, whatever work is left."""
        return self.too_late_for(0.0)

    @property
    def over(self) -> bool:
        """Whether the seconds are over, those for verifying included."""
        over = time.monotonic() > self.started + self.seconds
        self.stopped = self.stopped or over
        return over

    @property
    def reserved(self) -> float:
        """Seconds that are kept for verifying: more if trials on all records take long."""
        needed = min(VERIFIED * self.longest, MOST_RESERVED * self.seconds)
        return max(RESERVED * self.seconds, needed)

    def too_late_for(self, cost: float, share: float = 1.0, family: str = "") -> bool:
        """Whether a trial would end after a share of the time, at the pace of those before it."""
        now = time.monotonic()
        begun = now if self._began is None else self._began
        pace = self.paces.get(family, (now - begun) / (self.done + PACE_FROM))
        late = now + cost * pace > self.started + share * (self.seconds - self.reserved)
        self.stopped = self.stopped or late
        return late

    def afford(self, cost: float, share: float = 1.0, family: str = "") -> bool:
        """Whether a trial fits into a share of the whole work, and into the time."""
        return self.spent + cost <= self.work * share and not self.too_late_for(cost, 1.0, family)

    def begin(self) -> None:
        """Trials begin: their pace is measured from now on."""
        if self._began is None:
            self._began = time.monotonic()

    def finish(self, cost: float, family: str, seconds: float, *, whole: bool) -> None:
        """A trial is over: of a family, after so many seconds, on all records or a sample."""
        self.done += cost
        self.paces[family] = seconds / (cost + FAMILY_PACE_FROM)
        if whole:
            self.longest = max(self.longest, seconds)

    def spend(self, cost: float) -> None:
        """Count what a trial cost."""
        self.spent += cost
