"""Merging: which categories to merge before cells are suppressed, searched on codes alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np
import polars as pl

from microveil.app.advising.families.base import next_to
from microveil.app.advising.families.units import Units
from microveil.arrays import Flags
from microveil.errors import InputError
from microveil.methods import LocalSuppression
from microveil.methods.local_suppression.rows import by_frequency

if TYPE_CHECKING:
    from microveil.app.advising.situation import Situation

T = TypeVar("T")
IMPORTANCE = (0.25, 0.5, 1.0, 2.0, 4.0)
KICKS = 4
"""Largest number of random changes after which a descent begins anew."""
EVERY = 3
"""Each so many descents begin from no merging at all, with more changes."""
KEPT = 3
"""Settings that are handed on."""
SHARE = 0.4
"""Share of the granted work that goes into this search where all keys have categories to merge."""
SHARE_OF_LEVELS = 0.5
"""The share where the goal is judged by the levels that keys keep, as merging decides them."""
SHARE_BESIDE = 0.1
"""The share where other keys, which merging does not help, decide most of the loss."""
EVALUATED = 0.003
"""Units of work for one setting, however few records; a wildcard takes more."""
EVALUATED_CELLS = 3e-7
WILDCARD = 4.0
FEWEST = 60
"""Settings below which the search is not worth while."""
MOST = 6_000

Groups = tuple[tuple[int, ...], ...]
"""For each key, the group of each of its units; empty for a key that is left as it is."""


class Setting(NamedTuple):
    """What is merged, and which keys are kept rather than others."""

    groups: Groups
    importance: tuple[float, ...]


def n_evaluations(here: Situation) -> int:
    """Settings that the granted work allows: a count, so that it ends alike on every machine."""
    share = SHARE if all(here.units) else SHARE_BESIDE
    share = SHARE_OF_LEVELS if here.counts_levels else share
    return min(int(share * here.budget.work / _cost_of_one(here)), MOST)


def cost_of_search(here: Situation) -> float:
    """Units of work that the search takes."""
    return n_evaluations(here) * _cost_of_one(here)


def _cost_of_one(here: Situation) -> float:
    one = EVALUATED + EVALUATED_CELLS * here.table.height * max(len(here.keys), 1)
    return one * WILDCARD if here.base.missing_keys == "wildcard" else one


@dataclass(eq=False)
class Merging:
    """A descent with restarts over merged categories and importances of keys.

    A setting is tried on codes: cells are suppressed as the recipe would, and the loss is that of
    the cells, or of the levels where the goal is judged by them.
    """

    here: Situation
    rungs: tuple[int, ...]
    """Rungs of the keys whose categories are not merged."""
    units: tuple[Units | None, ...]
    seen: dict[Setting, float] = field(default_factory=dict)

    def best(self, most: int) -> list[Setting]:
        """The best settings after so many were tried, or when the time is over."""
        rng = np.random.default_rng([31, len(self.here.keys)])
        start = Setting(tuple(() for _ in self.units), tuple(1.0 for _ in self.units))
        here, n_starts = self._best_merge(start, most), 0
        while len(self.seen) < most and not self.here.budget.late:
            before = len(self.seen)
            self._descend(here, most, rng)
            n_starts += 1
            again = start if n_starts % EVERY == 0 else self._best_first()[0]
            n_kicks = int(rng.integers(1, KICKS * (EVERY if again is start else 1) + 1))
            here = self._kick(again, n_kicks, rng)
            if len(self.seen) == before and n_starts > most:
                break
        return self._best_first()[:KEPT]

    def _best_merge(self, start: Setting, most: int) -> Setting:
        """The best single merge, or none: one rare category is often all that is in the way."""
        self.loss(start)
        for at in dict.fromkeys(self._neighbours(start)):
            if len(self.seen) >= most or self.here.budget.late:
                break
            if at.importance == start.importance:
                self.loss(at)
        return self._best_first()[0]

    def _best_first(self) -> list[Setting]:
        return sorted(self.seen, key=lambda one: (self.seen[one], one))

    def _descend(self, here: Setting, most: int, rng: np.random.Generator) -> None:
        """Go to the first better neighbour, in a drawn order, until there is none."""
        loss, moved = self.loss(here), True
        while moved:
            moved = False
            for at in self._in_drawn_order(here, rng):
                if len(self.seen) >= most or self.here.budget.late:
                    return
                found = self.loss(at)
                if found < loss - 1e-12:
                    here, loss, moved = at, found, True
                    break

    def _in_drawn_order(self, here: Setting, rng: np.random.Generator) -> Iterator[Setting]:
        """Neighbours in a drawn order; other importances after all groupings: they change less."""
        ahead = list(dict.fromkeys(self._neighbours(here)))
        drawn = [ahead[int(place)] for place in rng.permutation(len(ahead))]
        yield from (at for at in drawn if at.groups != here.groups)
        yield from (at for at in drawn if at.groups == here.groups)

    def _kick(self, here: Setting, n: int, rng: np.random.Generator) -> Setting:
        for _ in range(n):
            ahead = list(self._neighbours(here))
            if ahead:
                here = ahead[int(rng.integers(len(ahead)))]
        return here

    def _neighbours(self, at: Setting) -> Iterator[Setting]:
        """Two groups merged, one unit elsewhere, another importance."""
        for place, units in enumerate(self.units):
            if units is not None:
                for other in _regroupings(at.groups[place] or tuple(range(units.n))):
                    plain = () if other == tuple(range(units.n)) else other
                    yield at._replace(groups=_with(at.groups, place, plain))
            for value in next_to(at.importance[place], IMPORTANCE):
                yield at._replace(importance=_with(at.importance, place, value))

    def loss(self, at: Setting) -> float:
        """The loss of the keys after merging and suppression; infinite where that fails."""
        if at not in self.seen:
            self.seen[at] = self._tried_loss(at)
        return self.seen[at]

    def _tried_loss(self, at: Setting) -> float:
        try:
            blank = self._blank(at)
        except InputError:
            return float("inf")
        lost = 0.0
        for number, place in enumerate(self._shown):
            gone = blank[:, number]
            if self.here.counts_levels:
                left = self._labels(place, at)[~gone & ~self._missing[place]]
                n_left = np.count_nonzero(np.bincount(left))
                lost += float(gone.mean()) + max(1 - n_left / self._n_values[place], 0.0)
            else:
                weight = self.here.goal.weights.get(self.here.keys[place], 1.0)
                coarse = self._coarse(place, at)
                lost += weight * float(np.where(gone, 1.0, coarse).mean())
        return lost

    def _blank(self, at: Setting) -> Flags:
        """Which cells the suppression takes, (records, keys that are shown)."""
        step = self._step(at)
        there = ~np.stack([self._missing[place] for place in self._shown], axis=1)
        if self._is_plain:
            codes = np.full(there.shape, -1, dtype=np.int32)
            for number, place in enumerate(self._shown):
                shown = there[:, number]
                codes[shown, number] = by_frequency(self._labels(place, at)[shown])
            return step.blank_cells(codes, tuple(self.here.keys[place] for place in self._shown))
        after = self.here.climbing.suppress([self._codes(p, at) for p in self._shown], step)
        names = [self.here.keys[place] for place in self._shown]
        gone: Flags = there & np.stack([after[name].is_null().to_numpy() for name in names], axis=1)
        return gone

    @cached_property
    def _is_plain(self) -> bool:
        """Whether rows are people, counted by one set of keys over the whole table."""
        roles = self.here.roles
        apart = roles.entity or roles.household or roles.strata or roles.scenarios
        return not apart and set(roles.quasi_identifiers) == set(self.here.keys)

    def _step(self, at: Setting) -> LocalSuppression:
        step = self.here.climbing.suppression_at(self.rungs)
        names = {self.here.keys[place] for place in self._shown}
        weights = {
            name: max(value, step.importance.get(name, 0.0))
            for name, value in zip(self.here.keys, at.importance, strict=True)
            if name in names
        }
        missing = self.here.base.missing_keys
        return step.model_copy(update={"importance": weights, "missing": missing})

    @cached_property
    def _shown(self) -> list[int]:
        space = self.here.climbing.space
        return [p for p, rung in enumerate(self.rungs) if not space.left_out(p, rung)]

    @cached_property
    def _missing(self) -> list[np.ndarray]:
        return [one.values.is_null().to_numpy() for one in self.here.climbing.ladders]

    @cached_property
    def _n_values(self) -> list[int]:
        return [max(one.values.drop_nulls().n_unique(), 1) for one in self.here.climbing.ladders]

    def _labels(self, place: int, at: Setting) -> np.ndarray:
        """The label of each record's key, as a number."""
        units, groups = self.units[place], at.groups[place]
        if units is None or not groups:
            return self.here.climbing.ladders[place].rungs[self.rungs[place]].astype(np.int64)
        return np.asarray(groups)[units.of_record]

    def _codes(self, place: int, at: Setting) -> pl.Series:
        labels = pl.Series(self.here.keys[place], self._labels(place, at))
        shown = ~pl.Series(self._missing[place])
        return labels.to_frame().select(pl.when(shown).then(pl.col(labels.name))).to_series()

    def _coarse(self, place: int, at: Setting) -> np.ndarray:
        """What each record's label leaves open: values that it covers but one, over all but one."""
        labels = self._labels(place, at)
        values = self.here.climbing.ladders[place].rungs[0]
        there = ~self._missing[place]
        pairs = np.unique(np.stack([labels[there], values[there].astype(np.int64)]), axis=1)
        covered = np.bincount(pairs[0], minlength=int(labels.max(initial=0)) + 1)
        share = np.maximum(covered - 1, 0) / max(self._n_values[place] - 1, 1)
        return np.where(there, share[labels], 0.0)


def _regroupings(groups: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Groupings next to one: two groups joined, or one unit moved to another or to none."""
    n_groups = max(groups) + 1
    for first, second in combinations(range(n_groups), 2):
        yield _in_order([first if one == second else one for one in groups])
    for place, own in enumerate(groups):
        for other in range(n_groups + 1):
            if other != own:
                moved = _in_order([*groups[:place], other, *groups[place + 1 :]])
                if moved != tuple(groups):
                    yield moved


def _in_order(groups: Sequence[int]) -> tuple[int, ...]:
    """Groups numbered as they appear, so that equal groupings are equal.

    >>> _in_order([4, 2, 4])
    (0, 1, 0)
    """
    number: dict[int, int] = {}
    return tuple(number.setdefault(one, len(number)) for one in groups)


def _with(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    return (*values[:place], value, *values[place + 1 :])
