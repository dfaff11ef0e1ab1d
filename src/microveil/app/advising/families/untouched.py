"""Keys as they are: the corner that every map starts from, and enough if nothing is required."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from microveil.app.advising.families.base import At, Family, Knowledge

if TYPE_CHECKING:
    from microveil.app.advising.situation import Situation
    from microveil.methods import Method


class AsTheyAre(Family):
    """Identifiers dropped, nothing else done."""

    name: ClassVar[str] = "as_it_is"
    method: ClassVar[str] = "drop"
    cost: ClassVar[float] = 5e-7
    known: ClassVar[Knowledge] = Knowledge(
        have="columns by which nobody can be told apart",
        need="the data as they are, without identifiers",
        why="What is safe already should not be changed.",
        beware="Rarely enough: a few everyday columns together single people out.",
    )

    def suits(self, here: Situation) -> bool:
        """Always."""
        del here
        return True

    def may_be_used(self, here: Situation) -> bool:
        """Unless ε is asked for."""
        return here.goal.epsilon is None

    def starts(self, here: Situation) -> Iterator[At]:
        """One."""
        del here
        yield ()

    def steps(self, here: Situation, at: At) -> tuple[Method, ...]:
        """None."""
        del here, at
        return ()

    def detail(self, here: Situation, at: At) -> str:
        """None."""
        del here, at
        return ""
