from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.kernels.swapping.swap_households import (
    Donors,
    Swaps,
    line_up,
    no_swaps,
    swap_households,
)


def one_by_one(
    seekers: Any, area: Any, most: Any, n_pairs: int, donors: Donors, swaps: Swaps
) -> Swaps:
    """The same by a plain search through each profile's order."""
    partner, profile, alone = (part.copy() for part in swaps)
    formed = [0] * len(most)
    for s in seekers.tolist():
        if n_pairs == sum(formed):
            break
        if partner[s] >= 0 or alone[s] or formed[area[s]] >= most[area[s]]:
            continue
        found = [
            (number, d)
            for number, order in enumerate(donors.order)
            for d in order.tolist()
            if donors.group[number, d] == donors.group[number, s]
            and partner[d] < 0
            and area[d] != area[s]
        ]
        if not found:
            alone[s] = 1
            continue
        number, d = found[0]
        partner[s], partner[d] = d, s
        profile[s] = profile[d] = number
        formed[area[s]] += 1
    return Swaps(partner, profile, alone)


Town = tuple[Any, Any, Any, int, Donors]


@st.composite
def towns(draw: st.DrawFn) -> Town:
    n, n_profiles, n_areas = draw(st.integers(0, 25)), draw(st.integers(1, 3)), 4
    seed = draw(st.integers(0, 2**32))
    rng = np.random.default_rng(seed)
    area = rng.integers(0, n_areas, n).astype(np.int32)
    group = rng.integers(0, draw(st.integers(1, 4)), (n_profiles, n)).astype(np.int32)
    seekers = rng.permutation(n)[: draw(st.integers(0, 25))]
    seekers = seekers[np.argsort(area[seekers], kind="stable")].astype(np.int32)
    most = rng.integers(0, 5, n_areas)
    return seekers, area, most, draw(st.integers(0, 12)), line_up(group, rng.random(n))


@given(towns(), st.booleans())
@settings(deadline=None, max_examples=300)
def test_queues_find_what_a_plain_search_finds(town: Town, again: bool) -> None:  # noqa: FBT001  a drawn value
    n = len(town[1])
    before = swap_households(*town, no_swaps(n))
    naive = one_by_one(*town, no_swaps(n))
    if again:
        before, naive = swap_households(*town, before), one_by_one(*town, naive)
    for ours, plain in zip(before, naive, strict=True):
        assert ours.tolist() == plain.tolist()


@given(towns())
@settings(deadline=None)
def test_pairs_are_disjoint_alike_and_from_different_areas(town: Town) -> None:
    _, area, _, n_pairs, donors = town
    partner, profile, _ = swap_households(*town, no_swaps(len(area)))
    moved = np.flatnonzero(partner >= 0)
    assert len(moved) <= 2 * n_pairs
    assert (partner[partner[moved]] == moved).all()
    assert (area[partner[moved]] != area[moved]).all()
    alike = donors.group[profile[moved], moved] == donors.group[profile[moved], partner[moved]]
    assert alike.all()


def test_earlier_swaps_are_left_as_they_were() -> None:
    area = np.array([0, 1, 0, 1], dtype=np.int32)
    donors = line_up(np.zeros((1, 4), dtype=np.int32), np.arange(4.0))
    most = np.array([9, 9])
    first = swap_households(np.array([0], dtype=np.int32), area, most, 1, donors, no_swaps(4))
    twin = first.partner.copy()
    second = swap_households(np.arange(4, dtype=np.int32), area, most, 9, donors, first)
    assert first.partner.tolist() == twin.tolist() == [1, 0, -1, -1]
    assert second.partner.tolist() == [1, 0, 3, 2]


def test_shapes_that_do_not_belong_together_are_refused() -> None:
    area = np.zeros(3, dtype=np.int32)
    donors = line_up(np.zeros((1, 3), dtype=np.int32), np.zeros(3))
    none, limits = np.empty(0, dtype=np.int32), np.ones(1, dtype=np.int64)
    with pytest.raises(ValueError, match="Profiles of 2 households"):
        swap_households(none, area[:2], limits, 1, donors, no_swaps(2))
    with pytest.raises(ValueError, match="one of the households"):
        swap_households(np.array([3], dtype=np.int32), area, limits, 1, donors, no_swaps(3))
    with pytest.raises(ValueError, match="Every area needs a limit"):
        swap_households(none, area + 1, limits, 1, donors, no_swaps(3))
