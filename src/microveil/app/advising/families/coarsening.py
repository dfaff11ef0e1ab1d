"""Columns coarsened one by one, then what is still rare suppressed: cells, or whole records."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from microveil.app.advising.families.base import (
    At,
    Family,
    Knowledge,
    next_to,
    other_times,
    stronger_times,
)
from microveil.app.suggesting.search import Space
from microveil.methods import LocalSuppression, Method, SuppressRecords

if TYPE_CHECKING:
    import numpy as np

    from microveil.app.advising.situation import Situation

IMPORTANCE = (0.25, 0.5, 1.0, 2.0, 4.0)
N_SHAKEN = 6
SHAKEN = 0.5
"""Share of the keys whose importance a draw changes."""
PRICE = 3.0
"""Cells that a record in a small class may cost."""
MOST_STARTS = 6
ALMOST_FIXED = 1e6
WILDCARD = 3
"""Times that suppression takes longer where missing values match every value."""


class CoarsenThenCells(Family):
    """Recode whole columns, then suppress the cells that are still rare."""

    name: ClassVar[str] = "coarsen_cells"
    method: ClassVar[str] = "local_suppression"
    cost: ClassVar[float] = 1.5e-6
    known: ClassVar[Knowledge] = Knowledge(
        have="descriptive keys with few rare combinations",
        need="k-anonymity with columns that readers can use as they are",
        why="Every value has the same meaning in all records, and few cells are missing.",
        beware="Many keys, or fine ones such as postcodes, cost whole columns or many cells.",
    )

    def suits(self, here: Situation) -> bool:
        """Wherever there are keys, and a model or ceiling to reach."""
        return bool(here.keys and here.require)

    def starts(self, here: Situation) -> Iterator[At]:
        """No recoding, then what an estimate of losses finds; each as it is needed."""
        plain = tuple(0 for _ in here.keys)
        even = tuple(1.0 for _ in here.keys)
        yield (1, plain, even)
        for rungs in here.rung_starts[:MOST_STARTS]:
            if rungs != plain:
                yield (1, rungs, even)

    def steps(self, here: Situation, at: At) -> tuple[Method, ...]:
        """Drops and recodings, then suppression of cells."""
        times, rungs, importance = at
        climbing = here.climbing
        coarse = climbing.coarse_steps(rungs)
        left = self._kept_columns(here, rungs)
        return (*coarse, self._suppress(here, rungs, times, importance)) if left else tuple(coarse)

    def cost_of(self, here: Situation, at: At) -> float:  # noqa: ARG002  whatever is coarse
        """Wildcards take longer to match."""
        return self.cost * (WILDCARD if here.base.missing_keys == "wildcard" else 1)

    def _kept_columns(self, here: Situation, rungs: tuple[int, ...]) -> list[str]:
        space = here.climbing.space
        return [
            name for place, name in enumerate(here.keys) if not space.left_out(place, rungs[place])
        ]

    def _suppress(
        self, here: Situation, rungs: tuple[int, ...], times: int, importance: tuple[float, ...]
    ) -> Method:
        step = here.climbing.suppression_at(rungs)
        left = self._kept_columns(here, rungs)
        weights = {name: float(value) for name, value in zip(here.keys, importance, strict=True)}
        for name in left:
            weights[name] *= max(here.goal.weights.get(name, 1.0), 1e-3)
            if name in here.goal.untouched:
                weights[name] = ALMOST_FIXED
            weights[name] = max(weights[name], step.importance.get(name, 0.0))
        known = {name: weights[name] for name in left}
        uneven = {} if len(set(known.values())) <= 1 else known
        changed = {"k": here.k * times, "importance": uneven}
        return LocalSuppression.parse(step.to_dict() | changed)

    def around(self, here: Situation, at: At) -> Iterator[At]:
        """One column one rung up or down, one up and another down; other cells first."""
        times, rungs, importance = at
        space = here.climbing.space
        near = sorted(space.steps(rungs), key=lambda one: (_estimate(space, one), one))
        first = max(2 * len(rungs), 4)
        yield from ((other, rungs, importance) for other in other_times(here, times))
        yield from ((times, one, importance) for one in near[:first])
        yield from self._other_weights(here, at)
        yield from ((times, one, importance) for one in near[first:])

    def _other_weights(self, here: Situation, at: At) -> Iterator[At]:
        times, rungs, importance = at
        for place in range(len(here.keys)):
            for value in next_to(importance[place], IMPORTANCE):
                if value != importance[place]:
                    other = (*importance[:place], value, *importance[place + 1 :])
                    yield (times, rungs, other)

    def shake(self, here: Situation, at: At, rng: np.random.Generator) -> Iterator[At]:
        """Other importances of several keys at once, and a column one rung up or down."""
        times, rungs, importance = at
        tops = [len(ladder.rungs) - 1 for ladder in here.climbing.ladders]
        for _ in range(N_SHAKEN):
            drawn = tuple(
                float(rng.choice(IMPORTANCE)) if rng.random() < SHAKEN else one
                for one in importance
            )
            place, move = int(rng.integers(len(rungs))), int(rng.integers(-1, 2))
            rung = min(max(rungs[place] + move, 0), tops[place])
            yield (times, (*rungs[:place], rung, *rungs[place + 1 :]), drawn)

    def stronger(self, here: Situation, at: At) -> Iterator[At]:
        """A larger k, or a column one rung coarser."""
        times, rungs, importance = at
        yield from ((more, rungs, importance) for more in stronger_times(times))
        tops = [len(ladder.rungs) - 1 for ladder in here.climbing.ladders]
        for place, rung in enumerate(rungs):
            if rung < tops[place]:
                yield (times, (*rungs[:place], rung + 1, *rungs[place + 1 :]), importance)

    def detail(self, here: Situation, at: At) -> str:
        """How many columns are recoded, and the k."""
        times, rungs, _ = at
        n_coarse = sum(rung > 0 for rung in rungs)
        return f"{n_coarse} of {len(rungs)} columns coarser, k {here.k * times}"


class CoarsenThenRecords(CoarsenThenCells):
    """Recode whole columns, then remove the records that are still rare."""

    name: ClassVar[str] = "coarsen_records"
    method: ClassVar[str] = "suppress_records"
    keeps_records: ClassVar[bool] = False
    cost: ClassVar[float] = 1e-6
    known: ClassVar[Knowledge] = Knowledge(
        have="many records, few of them rare",
        need="complete records, or models such as l-diversity for each class",
        why="What is left has no gaps, and any model can be reached by removing its outliers.",
        beware="Totals shrink, and the rare are no longer in the data at all.",
    )

    def may_be_used(self, here: Situation) -> bool:
        """Not where no record may be removed."""
        return super().may_be_used(here) and not here.goal.keep_records

    def starts(self, here: Situation) -> Iterator[At]:
        """What an estimate of losses finds; without recoding next to nothing would be left."""
        yield from list(super().starts(here))[1:]

    def _suppress(
        self,
        here: Situation,
        rungs: tuple[int, ...],  # noqa: ARG002  records have no columns
        times: int,
        importance: tuple[float, ...],  # noqa: ARG002  likewise
    ) -> Method:
        return SuppressRecords(k=here.k * times, models=here.others)

    def _other_weights(self, here: Situation, at: At) -> Iterator[At]:
        del here, at
        return iter(())

    def shake(self, here: Situation, at: At, rng: np.random.Generator) -> Iterator[At]:
        """Columns alone: records have no importance."""
        times, _, importance = at
        found = (one[1] for one in super().shake(here, at, rng))
        yield from dict.fromkeys((times, rungs, importance) for rungs in found)


def _estimate(space: Space, rungs: tuple[int, ...]) -> float:
    return space.loss(rungs) + PRICE * space.at_risk(rungs) / len(rungs)
