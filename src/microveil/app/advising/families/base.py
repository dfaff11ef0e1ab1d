"""Family: one way to protect a table, at the settings that a search may choose."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar

import numpy as np

from microveil.methods import Method

if TYPE_CHECKING:
    from microveil.app.advising.situation import Situation

N = TypeVar("N", int, float)
TIMES = (1, 2, 4, 8, 16, 32)
"""Multiples of k, where other requirements may need more."""
At = tuple[Any, ...]
"""Settings of a family: plain values that can be compared and written down."""


@dataclass(frozen=True)
class Knowledge:
    """What is known about a family: the row of the table *which method when*."""

    have: str
    """You have …"""
    need: str
    """and need …"""
    why: str
    """Why it is tried then."""
    beware: str
    """What it costs, or when it is not tried."""


class Plan(NamedTuple):
    """What is done to the keys, and what to the other columns."""

    family: str
    at: At
    beside: str = ""
    """Family for the columns beside the keys; empty if they stay as they are."""
    beside_at: At = ()
    truly: bool = False
    """Whether values beside the keys that would single out records become coarse, not wrong."""


class Family(ABC):
    """One way to protect a table; where it starts, and which settings are next to others."""

    name: ClassVar[str]
    method: ClassVar[str]
    """The method that gives it its name, as registered."""
    truthful: ClassVar[bool] = True
    """Whether every value it publishes is true."""
    keeps_records: ClassVar[bool] = True
    """Whether no record is removed, whatever the settings."""
    for_keys: ClassVar[bool] = True
    """Whether it treats the keys; otherwise the columns beside them."""
    synthetic: ClassVar[bool] = False
    """Whether it replaces the records by others."""
    cost: ClassVar[float]
    """Units of work per cell."""
    known: ClassVar[Knowledge]

    @abstractmethod
    def suits(self, here: Situation) -> bool:
        """Whether it can help in this situation, as :attr:`known` says."""

    @abstractmethod
    def starts(self, here: Situation) -> Iterator[At]:
        """Settings to begin with, the most promising first."""

    @abstractmethod
    def steps(self, here: Situation, at: At) -> tuple[Method, ...]:
        """The steps at a setting."""

    def around(self, here: Situation, at: At) -> Iterator[At]:  # noqa: ARG002  for families with settings
        """Settings next to one, that may be better."""
        return iter(())

    def stronger(self, here: Situation, at: At) -> Iterator[At]:  # noqa: ARG002  likewise
        """Settings that protect more than one."""
        return iter(())

    def shake(
        self,
        here: Situation,  # noqa: ARG002  for families with many settings
        at: At,  # noqa: ARG002  likewise
        rng: np.random.Generator,  # noqa: ARG002  likewise
    ) -> Iterator[At]:
        """Settings drawn around one, further away than its neighbours."""
        return iter(())

    @abstractmethod
    def detail(self, here: Situation, at: At) -> str:
        """The settings in a few words."""

    def may_be_used(self, here: Situation) -> bool:
        """Whether the goal allows what it does."""
        goal = here.goal
        if goal.epsilon is not None:
            return self.synthetic
        if goal.truthful and not self.truthful:
            return False
        return not (goal.keep_records and self.synthetic)

    def starting_cost(self, here: Situation) -> float:  # noqa: ARG002  for families that search
        """Units of work that finding the starts takes, beyond a glance."""
        return 0.0

    def cost_of(self, here: Situation, at: At) -> float:  # noqa: ARG002  for families whose settings differ
        """Units of work per cell at a setting."""
        return self.cost


def other_times(here: Situation, times: int) -> Iterator[int]:
    """Multiples of k beside one, where the loss need not grow with k: analyses, other measures."""
    if here.goal.analyses or (here.goal.loss is not None and not here.counts_levels):
        yield from next_to(times, TIMES)


def stronger_times(times: int) -> Iterator[int]:
    """The next larger multiple of k, if there is one."""
    yield from (one for one in next_to(times, TIMES) if one > times)


def next_to(value: N, ladder: tuple[N, ...]) -> list[N]:
    """The values of a ladder beside one.

    >>> next_to(0.1, (0.05, 0.1, 0.2))
    [0.05, 0.2]
    """
    place = ladder.index(value)
    return [ladder[one] for one in (place - 1, place + 1) if 0 <= one < len(ladder)]
