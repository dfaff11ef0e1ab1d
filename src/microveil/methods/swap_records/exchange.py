"""Swapping locations among households: those at risk first, then up to a share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from microveil.arrays import Ints, Longs
from microveil.methods.swap_records.households import Households

if TYPE_CHECKING:
    from microveil.kernels.swapping.swap_households import Donors


ROUNDS = 4
"""Number of times missing pairs are redistributed among the areas; the last without a limit."""


@dataclass(frozen=True, eq=False)
class Places:
    """What is known about the households that take part."""

    member: Longs
    """Their numbers among all households."""
    area: Sequence[Ints]
    """At each level of the hierarchy, the area of each, numbered by first appearance."""
    class_size: Sequence[Longs]
    """At each level, the class size of the household's rarest member."""
    group: Ints
    """(profiles, households): equal numbers for similar households."""


class Exchange:
    """Pairs of households, formed step by step."""

    def __init__(self, places: Places, rng: np.random.Generator) -> None:
        """Draw all random numbers used for priorities."""
        from microveil.kernels.swapping.swap_households import no_swaps

        self._places = places
        self._rng = rng
        self._waiting = rng.exponential(size=len(places.member))
        self._at_risk = np.full(len(places.member), len(places.area))
        self._swaps = no_swaps(len(places.member))

    def force(self, k: int) -> None:
        """Move households with a class below k out of the largest area where that is so."""
        from microveil.kernels.swapping.swap_households import swap_households

        for level, sizes in enumerate(self._places.class_size):
            newly = (sizes < k) & (self._at_risk == len(self._places.area))
            self._at_risk[newly] = level
            # Households without a partner far away may still find one nearby.
            wanted = (self._at_risk <= level) & (self._swaps.partner < 0)
            if wanted.any():
                area = self._places.area[level]
                limits = np.full(int(area.max()) + 1, len(area))
                self._swaps.alone[:] = 0
                self._swaps = swap_households(
                    self._seekers(level, wanted),
                    area,
                    limits,
                    len(area),
                    self._donors(level),
                    self._swaps,
                )

    def fill(self, share: float) -> None:
        """Swap further households of each smallest area until a share of all has moved."""
        from microveil.kernels.swapping.swap_households import swap_households

        level = len(self._places.area) - 1
        area = self._places.area[level]
        donors = self._donors(level)
        self._swaps.alone[:] = 0
        for attempt in range(1, ROUNDS + 1):
            lacking = self._n_lacking(share)
            free = (self._swaps.partner < 0) & (self._swaps.alone == 0)
            if lacking <= 0 or not free.any():
                return
            limits = np.bincount(area[free], minlength=int(area.max()) + 1)
            if attempt < ROUNDS:
                limits = self._shared_out(limits, lacking)
            seekers = self._seekers(level, free)
            self._swaps = swap_households(seekers, area, limits, lacking, donors, self._swaps)

    def source_rows(self, households: Households) -> Longs:
        """For each record, a row that holds its new location."""
        source = np.arange(len(households.first))
        partner = self._swaps.partner
        moving = partner >= 0
        member = self._places.member
        source[member[moving]] = member[partner[moving]]
        return households.first[source][households.of_record]

    def facts(self, hierarchy: Sequence[str], share: float) -> dict[str, Any]:
        """Counts of households; those at risk and unmatched by the level they should have left."""
        partner = self._swaps.partner
        n_profiles = len(self._places.group)
        at_risk, unmatched = {}, {}
        for level, name in enumerate(hierarchy):
            risky = self._at_risk == level
            area = self._places.area[level]
            stays = (partner < 0) | (area == area[partner])
            at_risk[name] = int(risky.sum())
            unmatched[name] = int((risky & stays).sum())
        chosen = self._swaps.profile[partner >= 0]
        return {
            "n_swapped": int((partner >= 0).sum()),
            "n_short": 2 * max(self._n_lacking(share), 0),
            "n_at_risk": at_risk,
            "n_unmatched": unmatched,
            "n_swapped_by_profile": np.bincount(chosen, minlength=n_profiles).tolist(),
        }

    def _n_lacking(self, share: float) -> int:
        """Pairs still to be formed."""
        n_wanted = int(share * len(self._places.member) / 2 + 0.5)
        return n_wanted - int((self._swaps.partner >= 0).sum()) // 2

    def _priority(self, level: int) -> NDArray[np.float64]:
        """Waiting times whose order is a draw without replacement, weighted by risk."""
        waiting: NDArray[np.float64] = self._waiting * self._places.class_size[level]
        return waiting

    def _donors(self, level: int) -> Donors:
        from microveil.kernels.swapping.swap_households import line_up

        return line_up(self._places.group, self._priority(level))

    def _seekers(self, level: int, chosen: NDArray[np.bool_]) -> Ints:
        """The chosen households by area, areas in random order, the riskiest first."""
        area = self._places.area[level]
        turn = self._rng.permutation(int(area.max()) + 1)
        seekers = np.flatnonzero(chosen)
        order = np.lexsort((self._priority(level)[seekers], turn[area[seekers]]))
        return seekers[order].astype(np.int32)

    def _shared_out(self, sizes: Longs, n: int) -> Longs:
        """Divide n into whole parts proportional to the sizes, rounded at random without bias."""
        turn = self._rng.permutation(len(sizes))
        exact = np.cumsum(sizes[turn]) * (n / sizes.sum())
        steps = np.floor(exact + self._rng.random())
        parts = np.empty_like(sizes)
        parts[turn] = np.diff(steps, prepend=0).astype(np.int64)
        return parts
