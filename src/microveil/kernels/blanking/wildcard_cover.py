"""Local suppression at low cost so that every row matches k records, missing cells as wildcards."""

from typing import NamedTuple

import numpy as np

from microveil.arrays import Flags, Floats, Ints, Longs
from microveil.kernels.best_first import Queue, open_queue, pop, push
from microveil.kernels.blanking.packed_rows import packed_rows, strides
from microveil.kernels.blanking.rule import silent_pattern
from microveil.kernels.jit import kernel

ROUNDING = 1e-9


class Rare(NamedTuple):
    """Rows that match too few records."""

    codes: Ints
    """(rows, columns), −1 missing."""
    missing: Longs
    """Missing cells of each row as bits."""
    records: Longs
    """Records of each row."""
    lacking: Longs
    """Further matches that each row needs."""


class Masks(NamedTuple):
    """Sets of columns that may be blanked together."""

    bits: Longs
    costs: Floats
    """(masks, rows): cost of blanking a record of a row; infinite if that does not make it safe."""
    group: Ints
    """(masks, rows): group of each row; rows of a group agree outside the mask."""
    members: Ints
    """(masks, rows): complete rows by group."""
    start: Ints
    """(masks, groups + 1): where each group starts among the members."""
    target: Ints
    """(masks, rows): mask of a row after blanking, its own missing cells included; or −1."""


class _State(NamedTuple):
    left: Longs  # records not blanked
    lacking: Longs  # matches still needed; below 0: matches to spare
    price: Floats  # of one needed match
    own: Floats  # lowest cost of blanking a record
    wanted: Floats  # (masks, groups): prices of the group's rows


def cover(rare: Rare, bits: Longs, costs: Floats) -> Ints:
    """Records to blank as pairs (row, mask), in the order in which they were chosen.

    A blanked record matches k records itself (`costs` is finite only then), and counts as one
    more match for all complete rows that agree with it outside its missing cells. This is a
    covering problem: the greedy choice is the record that saves others the most per unit of cost,
    and a second pass restores the cells that later choices made unnecessary to blank. Time grows
    with rows × masks, and with the sizes of the groups that blanked records match.

    >>> from microveil.kernels.blanking.packed_rows import missing_bits
    >>> codes = np.array([[0, 0], [0, 1], [0, 2]], dtype=np.int32)
    >>> ones = np.ones(3, dtype=np.int64)
    >>> rare = Rare(codes, missing_bits(codes), ones, ones)
    >>> cover(rare, np.array([2]), np.ones((1, 3))).tolist()
    [[0, 0]]
    """
    n, m = rare.codes.shape
    if costs.shape != (len(bits), n):
        raise ValueError(f"{len(bits)} masks and {n} rows need a cost each, not {costs.shape}.")
    if n == 0:
        return np.zeros((0, 2), dtype=np.int32)
    if not np.isfinite(costs).any(axis=0).all():
        raise ValueError("Every row needs a mask that makes it safe.")
    masks = _index(rare, bits, costs)
    chosen, kept = _cover(rare, masks, silent_pattern(m), np.flatnonzero(rare.missing))
    return chosen[: len(kept)][kept]


def _index(rare: Rare, bits: Longs, costs: Floats) -> Masks:
    """Number the groups of each mask, and list their complete rows."""
    n, n_masks = len(rare.codes), len(bits)
    factors = strides(rare.codes)
    complete = rare.missing == 0
    group = np.empty((n_masks, n), dtype=np.int32)
    members = np.full((n_masks, n), -1, dtype=np.int32)
    start = np.zeros((n_masks, n + 1), dtype=np.int32)
    for number, mask in enumerate(bits):
        _, labels = np.unique(packed_rows(rare.codes, int(mask), factors), return_inverse=True)
        group[number] = labels
        inside = np.flatnonzero(complete)
        inside = inside[np.argsort(labels[inside], kind="stable")]
        members[number, : len(inside)] = inside
        start[number, 1:] = np.cumsum(np.bincount(labels[inside], minlength=n))
    return Masks(bits, costs, group, members, start, _targets(rare.missing, bits))


def _targets(missing: Longs, bits: Longs) -> Ints:
    order = np.argsort(bits, kind="stable")
    target = np.empty((len(bits), len(missing)), dtype=np.int32)
    for number, mask in enumerate(bits):
        place = np.searchsorted(bits[order], missing | mask)
        place = order[np.minimum(place, len(bits) - 1)]
        target[number] = np.where(bits[place] == missing | mask, place, -1)
    return target


@kernel
def _open(rare: Rare, masks: Masks) -> _State:
    n_masks, n = masks.costs.shape
    own = np.full(n, np.inf)
    for mask in range(n_masks):
        for row in range(n):
            own[row] = min(own[row], masks.costs[mask, row])
    price = own * rare.records / rare.lacking
    wanted = np.zeros((n_masks, n))
    for mask in range(n_masks):
        for row in range(n):
            if rare.missing[row] == 0:
                wanted[mask, masks.group[mask, row]] += price[row]
    return _State(rare.records.copy(), rare.lacking.copy(), price, own, wanted)


@kernel
def _worth(rare: Rare, masks: Masks, state: _State, mask: int, row: int, silent: int) -> float:
    """What blanking a record saves others and itself, per unit of cost."""
    spared = state.own[row]
    target = masks.target[mask, row]
    if target >= 0 and masks.bits[target] != silent:
        spared += state.wanted[target, masks.group[target, row]]
        if rare.missing[row] == 0:
            spared -= state.price[row]
    return float(spared / masks.costs[mask, row])


@kernel
def _reprice(rare: Rare, masks: Masks, state: _State, row: int, price: float) -> None:
    change = price - state.price[row]
    state.price[row] = price
    if rare.missing[row] == 0:
        for mask in range(masks.bits.size):
            state.wanted[mask, masks.group[mask, row]] += change


@kernel
def _agree(rare: Rare, row: int, other: int, hidden: int) -> bool:
    for column in range(rare.codes.shape[1]):
        if not (hidden >> column) & 1 and rare.codes[row, column] != rare.codes[other, column]:
            return False
    return True


@kernel
def _match(
    rare: Rare, masks: Masks, mask: int, row: int, silent: int, odd: Longs, into: Longs
) -> int:
    """Fill in the other rows that a blanked record newly counts for; return their number."""
    hidden = masks.bits[mask] | rare.missing[row]
    target = masks.target[mask, row]
    n = 0
    if hidden != silent:
        if target >= 0:
            group = masks.group[target, row]
            first, last = masks.start[target, group], masks.start[target, group + 1]
        else:
            target, first, last = 0, 0, masks.start[0, -1]
        for place in range(first, last):
            other = masks.members[target, place]
            news = not _agree(rare, row, other, rare.missing[row])
            if news and (masks.target[mask, row] >= 0 or _agree(rare, row, other, hidden)):
                into[n] = other
                n += 1
    for other in odd:
        both = rare.missing[row] | rare.missing[other]
        if not _agree(rare, row, other, both) and _agree(rare, row, other, both | hidden):
            into[n] = other
            n += 1
    return n


@kernel
def _cover(rare: Rare, masks: Masks, silent: int, odd: Longs) -> tuple[Ints, Flags]:
    """Choose greedily, then undo what is unnecessary."""
    n_masks, n = masks.costs.shape
    state = _open(rare, masks)
    queue = _first_worths(rare, masks, state, silent)
    chosen = np.zeros((rare.records.sum(), 2), np.int32)
    n_chosen = 0
    matched = np.empty(n, np.int64)
    while queue.state[0] > 0:
        worth, entry = queue.worth[0], queue.entry[0]
        row, mask = entry // n_masks, entry % n_masks
        pop(queue)
        if state.left[row] == 0 or state.lacking[row] <= 0:
            continue
        now = _worth(rare, masks, state, mask, row, silent)
        push(queue, now, entry)
        # Worths only fall, so an entry whose worth is unchanged is the best of all.
        if now < worth - ROUNDING * worth:
            continue
        chosen[n_chosen, 0], chosen[n_chosen, 1] = row, mask
        n_chosen += 1
        state.left[row] -= 1
        share = state.left[row] / (state.left[row] + 1.0)
        _reprice(rare, masks, state, row, state.price[row] * share)
        for i in range(_match(rare, masks, mask, row, silent, odd, matched)):
            other = matched[i]
            state.lacking[other] -= 1
            if state.lacking[other] == 0:
                _reprice(rare, masks, state, other, 0.0)
    return chosen, _find_needed(rare, masks, chosen[:n_chosen], state, silent, odd)


@kernel
def _first_worths(rare: Rare, masks: Masks, state: _State, silent: int) -> Queue:
    n_masks, n = masks.costs.shape
    queue = open_queue(n * n_masks + 1)
    for row in range(n):
        for mask in range(n_masks):
            if masks.costs[mask, row] < np.inf:
                worth = _worth(rare, masks, state, mask, row, silent)
                push(queue, worth, row * n_masks + mask)
    return queue


@kernel
def _find_needed(
    rare: Rare, masks: Masks, chosen: Ints, state: _State, silent: int, odd: Longs
) -> Flags:
    """Which records stay blanked: the others can be restored with every row still safe."""
    kept = np.ones(len(chosen), np.bool_)
    matched = np.empty(rare.records.size, np.int64)
    for place in range(len(chosen) - 1, -1, -1):
        row, mask = chosen[place]
        if state.lacking[row] > 0:
            continue
        n = _match(rare, masks, mask, row, silent, odd, matched)
        needless = True
        for i in range(n):
            other = matched[i]
            if state.left[other] > 0 and state.lacking[other] >= 0:
                needless = False
                break
        if needless:
            kept[place] = False
            state.left[row] += 1
            for i in range(n):
                state.lacking[matched[i]] += 1
    return kept
