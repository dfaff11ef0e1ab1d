"""Pairs of similar households from different areas that are swapped, each household once."""

from typing import NamedTuple

import numpy as np

from microveil.arrays import Floats, Ints, Longs
from microveil.kernels.jit import kernel


class Donors(NamedTuple):
    """Households by profile, preferred profile first; within a profile, similar ones together."""

    group: Ints
    """(profiles, households): group of households that match by each profile."""
    order: Ints
    """(profiles, households): households by group, then by preference as donors."""
    start: Ints
    """(profiles, groups + 1): where each group starts in ``order``."""


class Swaps(NamedTuple):
    """The swaps so far."""

    partner: Ints
    """Household that each one is swapped with, −1 for none."""
    profile: Ints
    """Profile by which the two match, −1 for none."""
    alone: Ints
    """1 for each household that looked for a partner and found none."""


def no_swaps(n: int) -> Swaps:
    """No swaps yet among n households."""
    nobody = np.full(n, -1, dtype=np.int32)
    return Swaps(nobody, nobody.copy(), np.zeros(n, dtype=np.int32))


def line_up(group: Ints, priority: Floats) -> Donors:
    """Order the households of each profile's groups by priority, smallest number first.

    >>> line_up(np.array([[0, 1, 0]], dtype=np.int32), np.array([0.3, 0.1, 0.2])).order.tolist()
    [[2, 0, 1]]
    """
    order = np.array([np.lexsort((priority, row)) for row in group], dtype=np.int32)
    n_groups = int(group.max(initial=-1)) + 1
    start = np.array(
        [np.searchsorted(np.sort(row), np.arange(n_groups + 1)) for row in group], dtype=np.int32
    )
    return Donors(np.ascontiguousarray(group, dtype=np.int32), order, start)


def swap_households(
    seekers: Ints, area: Ints, most: Longs, n_pairs: int, donors: Donors, swaps: Swaps
) -> Swaps:
    """Find partners outside their area for the seeking households, in turn, after earlier swaps.

    `seekers` are grouped by area; households already swapped, or without a partner before, are
    skipped. `most` limits the pairs formed by each area's seekers, `n_pairs` the total number of
    pairs. The partner is the first free donor by the first profile that has one. Time grows
    with profiles times households.

    >>> group = np.zeros((1, 4), dtype=np.int32)
    >>> area = np.array([0, 0, 1, 1], dtype=np.int32)
    >>> donors = line_up(group, np.array([0.1, 0.2, 0.4, 0.3]))
    >>> seekers = np.array([0], dtype=np.int32)
    >>> found = swap_households(seekers, area, np.array([1, 1]), 1, donors, no_swaps(4))
    >>> found.partner.tolist()
    [3, -1, -1, 0]
    """
    n = area.size
    if donors.group.shape != donors.order.shape or donors.group.shape[1:] != (n,):
        raise ValueError(f"Profiles of {n} households cannot be of shape {donors.group.shape}.")
    if seekers.size and not 0 <= seekers.min() <= seekers.max() < n:
        raise ValueError("Every seeker must be one of the households.")
    if n and not 0 <= area.min() <= area.max() < most.size:
        raise ValueError("Every area needs a limit: areas start at 0.")
    after = Swaps(*(part.copy() for part in swaps))
    _swap(seekers, area, most, n_pairs, donors, after)
    return after


@kernel
def _next_free(ahead: Ints, place: int) -> int:
    """The first free position from here on; shortens the path for the next search."""
    while ahead[place] != place:
        ahead[place] = ahead[ahead[place]]
        place = ahead[place]
    return place


@kernel
def _open_queues(donors: Donors, swaps: Swaps) -> tuple[Ints, Ints]:
    """Position of each household in each profile's order, and the next free position from each."""
    n_profiles, n = donors.order.shape
    place = np.empty((n_profiles, n), np.int32)
    ahead = np.empty((n_profiles, n + 1), np.int32)
    for profile in range(n_profiles):
        ahead[profile, n] = n
        for position in range(n):
            household = donors.order[profile, position]
            place[profile, household] = position
            taken = swaps.partner[household] >= 0
            ahead[profile, position] = position + 1 if taken else position
    return place, ahead


@kernel
def _first_donor(
    donors: Donors, area: Ints, profile: int, seeker: int, ahead: Ints, cursor: Longs
) -> int:
    """First free matching household outside the seeker's area; −1 if there is none.

    The cursor keeps the position reached for this area: skipped donors remain of no use to it.
    """
    group = donors.group[profile, seeker]
    if cursor[group, 0] != area[seeker]:
        cursor[group, 0] = area[seeker]
        cursor[group, 1] = donors.start[profile, group]
    stop = donors.start[profile, group + 1]
    place = _next_free(ahead, cursor[group, 1])
    while place < stop and area[donors.order[profile, place]] == area[seeker]:
        place = _next_free(ahead, place + 1)
    cursor[group, 1] = place
    return donors.order[profile, place] if place < stop else -1


@kernel
def _swap(
    seekers: Ints, area: Ints, most: Longs, n_pairs: int, donors: Donors, swaps: Swaps
) -> None:
    place, ahead = _open_queues(donors, swaps)
    n_profiles = donors.order.shape[0]
    cursor = np.full((n_profiles, donors.start.shape[1], 2), -1, np.int64)
    formed = np.zeros(most.size, np.int64)
    left = n_pairs
    for seeker in seekers:
        if left == 0:
            break
        home = area[seeker]
        if swaps.partner[seeker] >= 0 or swaps.alone[seeker] or formed[home] >= most[home]:
            continue
        donor = -1
        for profile in range(n_profiles):
            donor = _first_donor(donors, area, profile, seeker, ahead[profile], cursor[profile])
            if donor >= 0:
                swaps.profile[seeker] = swaps.profile[donor] = profile
                break
        if donor < 0:
            swaps.alone[seeker] = 1
            continue
        swaps.partner[seeker], swaps.partner[donor] = donor, seeker
        for profile in range(n_profiles):
            for taken in (place[profile, seeker], place[profile, donor]):
                ahead[profile, taken] = taken + 1
        formed[home] += 1
        left -= 1
