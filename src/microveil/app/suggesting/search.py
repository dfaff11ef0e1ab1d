"""Search: how far to coarsen each key, so that most distinctions are kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice

import numpy as np
import polars as pl

from microveil.app.coarsening import Ladder, climb, packed_rungs
from microveil.app.suggesting.giveaways import Giveaways, Rungs
from microveil.app.suggesting.losses import distinctions
from microveil.arrays import Longs

START_SHARES = (0.01, 0.05, 0.2, 0.5)
"""Shares of the records in small classes at which a start stops climbing."""
PRICES = (3.0, 1.0, 8.0)
"""Cells that a record in a small class may cost: what local suppression takes is not known yet."""
LEFT_OUT = 0.5
"""Extra loss of a column of which nothing is left: given up only where that saves much."""
NEAR_THE_BEST = 0.1
"""Loss beyond the best one up to which a recipe's neighbours are worth trying."""
MOST_CELLS = 2e8
"""Cells that estimates look at, some seconds' worth."""
MOST_TRIED_CELLS = 2e7
"""Cells that trials of the whole recipe look at."""


@dataclass(frozen=True, eq=False)
class Space:
    """The ladders of all keys, and whose the records are."""

    ladders: Sequence[Ladder]
    k: int
    people: Longs | None = None
    """Person of each record, if people have several."""
    giveaways: Giveaways | None = None
    """Which keys other columns give back; by default none."""

    @property
    def height(self) -> int:
        """Number of records."""
        return len(self.ladders[0].rungs[0])

    @cached_property
    def kept(self) -> list[list[float]]:
        """Share of distinctions that each rung of each ladder keeps."""
        return [_kept_by_rung(ladder) for ladder in self.ladders]

    def loss(self, rungs: Rungs) -> float:
        """Mean share of distinctions that coarsening alone loses."""
        lost = [
            1 - kept[rung] + (LEFT_OUT if self.left_out(place, rung) else 0.0)
            for place, (kept, rung) in enumerate(zip(self.kept, rungs, strict=True))
        ]
        return sum(lost) / len(lost)

    def kept_share(self, rungs: Rungs) -> float:
        """Mean share of distinctions that coarsening keeps."""
        return sum(kept[rung] for kept, rung in zip(self.kept, rungs, strict=True)) / len(rungs)

    def left_out(self, place: int, rung: int) -> bool:
        """Whether a column is given up on a rung."""
        ladder = self.ladders[place]
        return ladder.leave_out and rung == len(ladder.rungs) - 1 and rung > 0

    def at_risk(self, rungs: Rungs) -> float:
        """Share of the records (rows of people) in classes smaller than k, as an intruder knows."""
        known = rungs if self.giveaways is None else self.giveaways.known_rungs(rungs)
        packed = packed_rungs(self.ladders, known)
        if self.people is None:
            sizes = pl.Series(packed).unique_counts().to_numpy()
            return float(sizes[sizes < self.k].sum() / max(len(packed), 1))
        rows = pl.DataFrame({"class": packed, "person": self.people})
        classes = rows.group_by("class").agg(n=pl.len(), people=pl.col("person").n_unique())
        small = classes.filter(pl.col("people") < self.k)
        return float(small["n"].sum() / max(len(packed), 1))

    def steps(self, rungs: Rungs) -> Iterator[Rungs]:
        """Neighbours: one column on another rung, or one a rung up and another one down."""
        yield from self.single_steps(rungs)
        yield from self.exchanges(rungs)

    def single_steps(self, rungs: Rungs) -> Iterator[Rungs]:
        """One column on another rung: the next ones first, then those further off."""
        ways = [
            (abs(rung - here), place, rung - here)
            for place, (ladder, here) in enumerate(zip(self.ladders, rungs, strict=True))
            for rung in range(len(ladder.rungs))
            if rung != here
        ]
        for _, place, far in sorted(ways, key=lambda way: (way[0], way[2] > 0, way[1])):
            yield _move(rungs, {place: far})

    def exchanges(self, rungs: Rungs) -> Iterator[Rungs]:
        """One column one rung up, and another one down."""
        ups, downs = self._open_ways(rungs)
        for up in ups:
            for down in downs:
                if up != down:
                    yield _move(rungs, {up: 1, down: -1})

    def _open_ways(self, rungs: Rungs) -> tuple[list[int], list[int]]:
        tops = [len(ladder.rungs) - 1 for ladder in self.ladders]
        ups = [place for place, rung in enumerate(rungs) if rung < tops[place]]
        return ups, [place for place, rung in enumerate(rungs) if rung > 0]


def _move(rungs: Rungs, moves: dict[int, int]) -> Rungs:
    return tuple(rung + moves.get(place, 0) for place, rung in enumerate(rungs))


def _kept_by_rung(ladder: Ladder) -> list[float]:
    """Share of distinctions kept on each rung; a missing cell tells nothing."""
    empty = ladder.values.is_null().to_numpy()
    told = [distinctions(np.bincount(codes[~empty])) for codes in ladder.rungs]
    return [one / told[0] if told[0] else 1.0 for one in told]


@dataclass(eq=False)
class Search:
    """Estimates first, then trials of the most promising recipes."""

    space: Space
    trial: Callable[[Rungs], float]
    """Loss of the recipe with these rungs, tried out; infinite if it does not hold."""
    tried: dict[Rungs, float] = field(default_factory=dict)
    most_cells: float = MOST_CELLS
    """Cells that estimates look at."""
    _risks: dict[Rungs, float] = field(default_factory=dict)

    def best(self) -> list[Rungs]:
        """The recipes that were tried, the best first."""
        starts = self.starts()
        room = max(3, min(60, int(MOST_TRIED_CELLS / max(self._n_cells, 1))))
        for rungs in starts[:room]:
            self._try(rungs)
        looked_around: set[Rungs] = set()
        while len(self.tried) < room and (here := self._most_hopeful(looked_around)) is not None:
            looked_around.add(here)
            self._look_around(here, room)
        return sorted(self.tried, key=lambda rungs: (self.tried[rungs], rungs))

    def _most_hopeful(self, looked_around: set[Rungs]) -> Rungs | None:
        """The best recipe whose neighbours were not tried; none if all are far from the best."""
        least = min(self.tried.values())
        ahead = [
            rungs
            for rungs, loss in self.tried.items()
            if rungs not in looked_around and loss <= least + NEAR_THE_BEST
        ]
        return min(ahead, key=lambda rungs: (self.tried[rungs], rungs), default=None)

    def _look_around(self, here: Rungs, room: int) -> None:
        """Try the neighbours that promise most, until one is better."""
        ahead = [rungs for rungs in self.space.steps(here) if rungs not in self.tried]
        hopeful = sorted(ahead, key=lambda rungs: self._estimate(rungs, PRICES[0]))
        for rungs in hopeful[: max(2 * len(here), 4)]:
            if len(self.tried) >= room or self._try(rungs) < self.tried[here]:
                return

    @property
    def _n_cells(self) -> int:
        return self.space.height * len(self.space.ladders)

    def _try(self, rungs: Rungs) -> float:
        if rungs not in self.tried:
            self.tried[rungs] = self.trial(rungs)
        return self.tried[rungs]

    def starts(self) -> list[Rungs]:
        """The best estimates, for several prices of a record that is left at risk."""
        space = self.space
        starts = [tuple(climb(space.ladders, space.k, share)) for share in START_SHARES]
        starts.append(tuple(0 for _ in space.ladders))
        nothing = tuple(len(ladder.rungs) - 1 for ladder in space.ladders)
        most = max(40, int(self.most_cells / max(self._n_cells, 1) / (4 * len(PRICES))))
        # Few of many keys may be all that can be kept: begin with none, too, and add one by one.
        found = [
            descend(begin, price, most)
            for price in PRICES
            for descend in (self._descend, self._descend_steeply)
            for begin in (starts, [nothing])
        ]
        return list(dict.fromkeys([*found, *starts]))

    def _descend(self, starts: Sequence[Rungs], price: float, most: int) -> Rungs:
        """The first step that helps each time."""
        here = min(starts, key=lambda rungs: self._estimate(rungs, price))
        looked, moved = 0, True
        while moved and looked < most:
            moved = False
            for rungs in islice(self.space.steps(here), most - looked):
                looked += 1
                if self._is_better(rungs, here, price):
                    here, moved = rungs, True
                    break
        return here

    def _descend_steeply(self, starts: Sequence[Rungs], price: float, most: int) -> Rungs:
        """The best single step each time, an exchange where none helps.

        Else one column may take all the room that classes have before others are looked at.
        """
        here = min(starts, key=lambda rungs: self._estimate(rungs, price))
        looked = 0
        while looked < most:
            ahead = list(self.space.single_steps(here))
            looked += len(ahead)
            best = min(ahead, key=lambda rungs: self._estimate(rungs, price), default=here)
            if not self._is_better(best, here, price):
                better = self._exchange(here, price, most - looked)
                looked += len(here) ** 2
                if better is None:
                    break
                best = better
            here = best
        return here

    def _exchange(self, here: Rungs, price: float, most: int) -> Rungs | None:
        for rungs in islice(self.space.exchanges(here), max(most, 0)):
            if self._is_better(rungs, here, price):
                return rungs
        return None

    def _is_better(self, rungs: Rungs, here: Rungs, price: float) -> bool:
        return self._estimate(rungs, price) < self._estimate(here, price) - 1e-9

    def _estimate(self, rungs: Rungs, price: float) -> float:
        """Loss, if a record at risk loses so many cells: pairs are told apart by both records."""
        if rungs not in self._risks:
            self._risks[rungs] = self.space.at_risk(rungs)
        blank = min(price * self._risks[rungs] / len(rungs), 1.0)
        return self.space.loss(rungs) + self.space.kept_share(rungs) * (1 - (1 - blank) ** 2)
