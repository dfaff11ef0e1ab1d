"""Categories merged one by one, by a search of their own, then what is still rare suppressed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from microveil.app.advising.families.base import At, Knowledge, next_to, other_times, stronger_times
from microveil.app.advising.families.coarsening import (
    IMPORTANCE,
    CoarsenThenCells,
)
from microveil.app.advising.families.merging import (
    FEWEST,
    Merging,
    cost_of_search,
    n_evaluations,
)
from microveil.methods import Method

if TYPE_CHECKING:
    import numpy as np

    from microveil.app.advising.situation import Situation


class GroupThenCells(CoarsenThenCells):
    """Merge categories that together lose least, then suppress the cells that are still rare."""

    name: ClassVar[str] = "group_cells"
    known: ClassVar[Knowledge] = Knowledge(
        have="keys of a few categories without an order, some of them rare",
        need="k-anonymity with few cells missing and most categories kept",
        why="Which categories are merged is searched for together with what must be suppressed "
        "afterwards, not fixed by a hierarchy.",
        beware="Merged categories may have little in common: look at the labels.",
    )

    def suits(self, here: Situation) -> bool:
        """Where keys have categories to merge, and there is time to search among them."""
        able = super().suits(here) and any(here.units)
        return able and n_evaluations(here) >= FEWEST

    def starting_cost(self, here: Situation) -> float:
        """The search for what to merge."""
        return cost_of_search(here)

    def starts(self, here: Situation) -> Iterator[At]:
        """The best that a search on codes finds."""
        rungs = self._rungs_of_others(here)
        for found in Merging(here, rungs, here.units).best(n_evaluations(here)):
            yield (1, rungs, found.importance, found.groups)

    def _rungs_of_others(self, here: Situation) -> tuple[int, ...]:
        """How coarse the keys are that have no categories to merge; 0 for the others."""
        if all(here.units):
            return tuple(0 for _ in here.keys)
        found = here.rung_starts[0]
        return tuple(
            rung if units is None else 0 for rung, units in zip(found, here.units, strict=True)
        )

    def steps(self, here: Situation, at: At) -> tuple[Method, ...]:
        """Drops and recodings, merged categories, then suppression of cells."""
        times, rungs, importance, groups = at
        coarse = super().steps(here, (times, rungs, importance))
        merged = [
            step
            for units, own in zip(here.units, groups, strict=True)
            if units is not None
            for step in units.steps(own)
        ]
        return (*coarse[:-1], *merged, *coarse[-1:])

    def around(self, here: Situation, at: At) -> Iterator[At]:
        """Other cells first; merging is settled by the search on codes."""
        times, rungs, importance, groups = at
        yield from ((one, rungs, importance, groups) for one in other_times(here, times))
        for place in range(len(here.keys)):
            for value in next_to(importance[place], IMPORTANCE):
                other = (*importance[:place], value, *importance[place + 1 :])
                yield (times, rungs, other, groups)

    def shake(self, here: Situation, at: At, rng: np.random.Generator) -> Iterator[At]:
        """None: the search on codes has drawn enough."""
        del here, at, rng
        return iter(())

    def stronger(self, here: Situation, at: At) -> Iterator[At]:  # noqa: ARG002  whatever the table
        """A larger k."""
        times, *rest = at
        yield from ((more, *rest) for more in stronger_times(times))

    def detail(self, here: Situation, at: At) -> str:
        """How many columns have merged categories, and the k."""
        times, _, _, groups = at
        n_merged = sum(bool(own) for own in groups)
        return f"categories of {n_merged} of {len(groups)} columns merged, k {here.k * times}"
