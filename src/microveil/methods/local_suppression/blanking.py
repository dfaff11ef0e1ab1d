"""Suppress cells of coded keys until enough records share each of several key sets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from microveil.arrays import Flags, Floats, Ints, Longs
from microveil.errors import InternalError
from microveil.methods.local_suppression.people import (
    People,
    RowPeople,
    person_codes,
    row_people,
    spread_blanks,
)
from microveil.methods.local_suppression.rows import Distinct, distinct_rows
from microveil.tables import Missing

MOST_MASKS = 255
"""Sets of columns considered together: all sets of eight columns, the smaller ones of more."""
MOST_PAIRS = 4_000_000
"""Rare rows × sets of columns of a pass, which bounds memory to some 60 bytes for each pair."""


Matches = Callable[..., Longs]
"""Records (people) that match some rows, with the columns of a mask suppressed."""


class SizeRequirement(NamedTuple):
    """Requirement that k records share every combination of some keys."""

    keys: tuple[int, ...]
    k: int


def blank_until_safe(
    codes: Ints,
    requirements: Sequence[SizeRequirement],
    costs: Floats,
    missing: Missing,
    people: People | None = None,
) -> Ints:
    """Suppress cells of the codes so that every requirement is met at low cost.

    Suppression for one requirement may violate another, so passes are repeated until nothing
    changes. Cells are only ever suppressed, and a table of missing cells meets every requirement
    for at most as many records (people) as there are, so this terminates.
    """
    every = list(range(codes.shape[1]))
    if any(list(requirement.keys) != every for requirement in requirements):
        codes = codes.copy()
    # Keys that are safe together are nearly always safe in part, so long sets come first.
    requirements = sorted(requirements, key=lambda requirement: -len(requirement.keys))
    settled = 0
    while settled < len(requirements):
        for requirement in requirements:
            columns = list(requirement.keys)
            part = codes if columns == every else np.ascontiguousarray(codes[:, columns])
            safer = _one_pass(part, requirement.k, costs[columns], missing, people)
            settled = settled + 1 if safer is None else 0
            if safer is not None:
                if np.array_equal(safer, part):
                    raise InternalError("A pass that should suppress cells suppressed none.")
                if columns == every:
                    codes = safer
                else:
                    codes[:, columns] = safer
            del part, safer
            if settled == len(requirements):
                break
    return codes


def _one_pass(
    codes: Ints, k: int, costs: Floats, missing: Missing, people: People | None
) -> Ints | None:
    """Codes with cells suppressed; None if the requirement is met.

    If everybody has one distinct row, or people are told apart by all their rows, a person is one
    record. If missing is a wildcard and rows are linked, sets of rows with equal gaps are asked
    for, which is more than needed.
    """
    one_pass = _wildcard_pass if missing == "wildcard" else _category_pass
    if people is None:
        return one_pass(codes, k, costs)
    rows = distinct_rows(codes)
    who = row_people(rows, people)
    found = person_codes(rows, who, people)
    if found is None:
        by_person = _wildcard_people_pass if missing == "wildcard" else _category_people_pass
        return by_person(codes, k, costs, (rows, who))
    whole, mixed = found
    safer = (_category_pass if mixed else one_pass)(whole, k, costs)
    return None if safer is None else spread_blanks(codes, whole, safer, people)


def masks(costs: Floats, n_rare: int) -> Longs:
    """Sets of columns to suppress together, as bits, cheapest first, including all columns.

    All sets if there are few; otherwise the small ones, and those of the cheapest columns.
    """
    m = len(costs)
    most = min(MOST_MASKS, MOST_PAIRS // max(n_rare, 1))
    sets: list[tuple[int, ...]] = [(column,) for column in range(m)]
    for size in range(2, m + 1):
        if len(sets) + comb(m, size) > most:
            break
        sets += combinations(range(m), size)
    cheap = np.argsort(costs, kind="stable").tolist()
    sets += [tuple(cheap[:size]) for size in range(2, m + 1)]
    bits = {sum(1 << column for column in columns): costs[list(columns)].sum() for columns in sets}
    return np.array(sorted(bits, key=lambda mask: (bits[mask], mask)), dtype=np.int64)


def _next_rare(rows: Distinct, rare: Longs, costs: Floats, k: int, n_pairs: int) -> Longs:
    """The rare rows that one pass makes safe: all, or as many as make so many pairs with masks.

    Rows that differ in cheap columns alone stay together. The first k rows or more, so that they
    can be made safe without records of others.
    """
    most = max(n_pairs // (2 * len(costs) - 1), k)
    if len(rare) <= most:
        return rare
    part = rows.codes[rare]
    order = np.lexsort([part[:, column] for column in np.argsort(costs, kind="stable")])
    return np.sort(rare[order[:most]])


def _wildcard_pass(codes: Ints, k: int, costs: Floats) -> Ints | None:
    """Codes with cells of rare records suppressed; None if every record is safe."""
    from microveil.kernels.blanking.wildcard_matches import wildcard_matches

    rows = distinct_rows(codes)

    def matches(of: Longs, blanked: int = 0) -> Longs:
        return wildcard_matches(rows.codes, rows.counts, of, blanked)

    found = _wildcard_choice(rows, rows.counts, matches, k, costs)
    if found is None:
        return None
    rare, chosen, bits = found
    place = _places(rare, len(rows.codes))
    return _blank_masks(codes, place[rows.row], chosen, bits)


def _wildcard_people_pass(
    codes: Ints, k: int, costs: Floats, owned: tuple[Distinct, RowPeople]
) -> Ints | None:
    """The same for people with several rows: all records of a person in a row go together."""
    from microveil.kernels.blanking.wildcard_matches import Held, wildcard_people_up_to

    rows, who = owned
    held = Held(who.start, who.person, who.records, who.records.astype(np.float64))

    def matches(of: Longs, blanked: int = 0) -> Longs:
        mine = _hide_columns(rows.codes[of], blanked)
        return wildcard_people_up_to(k, mine, rows.codes, held)

    found = _wildcard_choice(rows, np.diff(who.start), matches, k, costs)
    if found is None:
        return None
    rare, chosen, bits = found
    place = _places(rare, len(rows.codes))
    entries = _blank_masks(
        np.zeros((len(who.row), len(costs)), np.int32), place[who.row], chosen, bits
    )
    return np.where(entries[who.of_record] < 0, np.int32(-1), codes)


def _hide_columns(codes: Ints, mask: int) -> Ints:
    for column in range(codes.shape[1]):
        if mask >> column & 1:
            codes[:, column] = -1
    return codes


def _places(rare: Longs, n_rows: int) -> Longs:
    """The number of each row among the rare ones, −1 for the others."""
    place = np.full(n_rows, -1, dtype=np.int64)
    place[rare] = np.arange(len(rare))
    return place


def _wildcard_choice(
    rows: Distinct, counts: Longs, matches: Matches, k: int, costs: Floats
) -> tuple[Longs, NDArray[np.int32], Longs] | None:
    """Rare rows, the pairs of a row and a mask to suppress, and the masks; None if none is rare."""
    from microveil.kernels.blanking.packed_rows import missing_bits
    from microveil.kernels.blanking.wildcard_cover import Rare, cover

    found = matches(np.arange(len(rows.codes)))
    rare = np.flatnonzero(found < k)
    if not len(rare):
        return None
    rare = _next_rare(rows, rare, costs, k, MOST_PAIRS)
    bits = masks(costs, len(rare))
    part = rows.codes[rare]
    needed = _costs_of_safe_masks(part, rare, matches, (k, bits, costs))
    chosen = cover(Rare(part, missing_bits(part), counts[rare], k - found[rare]), bits, needed)
    return rare, chosen, bits


def _costs_of_safe_masks(
    part: Ints, rare: Longs, matches: Matches, goal: tuple[int, Longs, Floats]
) -> Floats:
    """(masks, rows): cost of each minimal mask that makes a row safe; none of its subsets does."""
    k, bits, costs = goal
    safe: dict[int, Flags] = {}
    needed = np.full((len(bits), len(rare)), np.inf)
    present = part >= 0
    for number in np.argsort([mask.bit_count() for mask in bits.tolist()], kind="stable"):
        mask = int(bits[number])
        columns = [column for column in range(len(costs)) if mask >> column & 1]
        parts = [safe[less] for column in columns if (less := mask & ~(1 << column)) in safe]
        by_part = np.logical_or.reduce(parts) if parts else np.zeros(len(rare), dtype=np.bool_)
        open_ = np.flatnonzero(~by_part)
        newly = open_[matches(rare[open_], mask) >= k]
        needed[number, newly] = present[newly][:, columns] @ costs[columns]
        by_part[newly] = True
        safe[mask] = by_part
    return needed


def _blank_masks(codes: Ints, place: Longs, chosen: NDArray[np.int32], bits: Longs) -> Ints:
    """Suppress the chosen masks, one record each: a row's n-th choice is its n-th record."""
    records = np.flatnonzero(place >= 0)
    records = records[np.argsort(place[records], kind="stable")]
    start = np.searchsorted(place[records], np.arange(len(records) + 1))
    order = np.argsort(chosen[:, 0], kind="stable")
    row = chosen[order, 0].astype(np.int64)
    nth = np.arange(len(row)) - np.searchsorted(row, row)
    record = records[start[row] + nth]
    codes = codes.copy()
    for column in range(codes.shape[1]):
        codes[record[(bits[chosen[order, 1]] >> column & 1) == 1], column] = -1
    return codes


def _category_pass(codes: Ints, k: int, costs: Floats) -> Ints | None:
    """Codes with records of small classes, and others they need, moved to sparser classes."""
    from microveil.kernels.blanking.category_cover import gather, rows_after

    rows = distinct_rows(codes)
    if rows.counts.min() >= k:
        return None
    # More passes cost little here, and save memory.
    rare = _next_rare(rows, np.flatnonzero(rows.counts < k), costs, k, MOST_PAIRS // 2)
    bits = masks(costs, len(rare))
    moves, made = gather(rows.codes, rows.counts, k, rare, bits, costs)
    blanked: Ints = made[rows_after(moves, rows.row, len(made))]
    return blanked


def _category_people_pass(
    codes: Ints,  # noqa: ARG001  as in the other passes: the rows tell it
    k: int,
    costs: Floats,
    owned: tuple[Distinct, RowPeople],
) -> Ints | None:
    """The same with people counted, who have several rows."""
    from microveil.kernels.blanking.people_cover import Stays, gather_people

    rows, who = owned
    counts = np.diff(who.start)
    if counts.min() >= k:
        return None
    rare = _next_rare(rows, np.flatnonzero(counts < k), costs, k, MOST_PAIRS // 2)
    stays = Stays(who.start, who.person, who.records)
    after = gather_people(rows.codes, stays, k, rare, masks(costs, len(rare)), costs)
    blanked: Ints = after.codes[after.row[who.of_record]]
    return blanked
