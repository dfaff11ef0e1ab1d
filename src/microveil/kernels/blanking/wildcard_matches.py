"""Matches of each row when a missing cell matches every value: counts and sums of amounts."""

from typing import NamedTuple

import numpy as np

from microveil.arrays import Floats, Ints, Longs
from microveil.kernels.blanking.packed_rows import missing_bits, packed_row, slot_of, strides
from microveil.kernels.blanking.rule import counted_share
from microveil.kernels.jit import kernel


class Asked(NamedTuple):
    """Rows with the same missing cells, and the patterns by which their matches are found."""

    codes: Ints
    rows: Longs
    pattern: int
    """Their missing cells as bits."""
    unions: Longs
    """Missing cells of these rows and of some counted row together, as bits; each once."""


class Counted(NamedTuple):
    """Rows that are counted."""

    codes: Ints
    missing: Longs
    factors: Longs
    """Factors that pack a row into one integer."""


class MatchRule(NamedTuple):
    """How much a row counts for another."""

    several: bool
    """Whether there are two columns or more."""
    alpha: float = 1.0
    """What a match counts that exists only because of a missing cell."""
    turned: bool = False
    """Whether the roles are reversed: how much the asked rows count for the counted ones."""


class Held(NamedTuple):
    """The people who have each counted row: one entry per row and person, by row."""

    start: Longs
    """(rows + 1) first entry of each row."""
    person: Longs
    rows: Longs
    """Records that the person has in the row."""
    weight: Floats
    """Their summed weight."""


class _Slots(NamedTuple):
    """A table of rows without their hidden cells."""

    keys: Longs
    owner: Longs  # a row with these cells, −1 in a free slot
    hides: Longs


def wildcard_matches(codes: Ints, counts: Longs, rows: Longs, blanked: int = 0) -> Longs:
    """Number of records that each of these rows would match with the columns of `blanked` missing.

    `codes` are distinct rows (−1 missing), `counts` their records; bit c of `blanked` is column c.
    Who matches whom is :func:`~microveil.kernels.blanking.rule.counted_share`.

    >>> codes = np.array([[0, 0], [0, 1], [0, -1]], dtype=np.int32)
    >>> wildcard_matches(codes, np.array([1, 1, 3]), np.arange(3)).tolist()
    [4, 4, 5]
    """
    mine = codes[rows]
    for column in range(codes.shape[1]):
        if blanked >> column & 1:
            mine[:, column] = -1
    amounts = counts.astype(np.float64)[:, None]
    sums = wildcard_sums(mine, codes, amounts, MatchRule(codes.shape[1] > 1))
    return sums[:, 0].astype(np.int64)


def wildcard_sums(mine: Ints, theirs: Ints, amounts: Floats, rule: MatchRule) -> Floats:
    """Amounts (rows, kinds) of `theirs` summed over the rows that each row of `mine` matches.

    Both tables use the same codes, −1 missing. Time grows with the rows times the patterns of
    missing cells.

    >>> codes = np.array([[0, 0], [0, -1], [-1, -1]], dtype=np.int32)
    >>> wildcard_sums(codes, codes, np.ones((3, 1)), MatchRule(True)).ravel().tolist()
    [2.0, 3.0, 3.0]
    """
    found = np.zeros((len(mine), amounts.shape[1]))
    if not len(theirs):
        return found
    counted = _count(mine, theirs)
    for asked in _by_pattern(mine, counted):
        found[asked.rows] = _sums(asked, counted, amounts, rule)
    return found


def wildcard_people(mine: Ints, theirs: Ints, held: Held, rule: MatchRule) -> Floats:
    """Distinct people of `theirs` that each row of `mine` matches, and their weight: (rows, 2).

    A person counts once, by the best of the matching rows, with the mean weight of those rows.
    Time grows with the pairs of a row and a person that match.

    >>> codes = np.array([[0, 0], [0, -1]], dtype=np.int32)
    >>> one = Held(np.array([0, 1, 2]), np.zeros(2, np.int64), np.ones(2, np.int64), np.ones(2))
    >>> wildcard_people(codes, codes, one, MatchRule(True)).tolist()
    [[1.0, 1.0], [1.0, 1.0]]
    """
    found = np.zeros((len(mine), 2))
    if not len(theirs):
        return found
    counted = _count(mine, theirs)
    n_people = int(held.person.max(initial=-1)) + 1
    for asked in _by_pattern(mine, counted):
        found[asked.rows] = _people(asked, counted, held, n_people, rule)
    return found


def wildcard_people_up_to(most: int, mine: Ints, theirs: Ints, held: Held) -> Longs:
    """Distinct people of `theirs` that each row of `mine` matches, counted up to `most`.

    Time grows with the rows × `most` (and with the matching records of the same people).

    >>> codes = np.array([[0, 0], [0, -1]], dtype=np.int32)
    >>> two = Held(np.array([0, 1, 2]), np.arange(2), np.ones(2, np.int64), np.ones(2))
    >>> wildcard_people_up_to(1, codes, codes, two), wildcard_people_up_to(9, codes, codes, two)
    (array([1, 1]), array([2, 2]))
    """
    found = np.zeros(len(mine), dtype=np.int64)
    if not len(theirs):
        return found
    counted = _count(mine, theirs)
    n_people = int(held.person.max(initial=-1)) + 1
    for asked in _by_pattern(mine, counted):
        found[asked.rows] = _people_up_to(most, asked, counted, held, n_people)
    return found


def _count(mine: Ints, theirs: Ints) -> Counted:
    return Counted(theirs, missing_bits(theirs), strides(mine, theirs))


def _by_pattern(mine: Ints, counted: Counted) -> list[Asked]:
    wanted = missing_bits(mine)
    patterns = np.unique(counted.missing)
    return [
        Asked(mine, np.flatnonzero(wanted == pattern), int(pattern), np.unique(patterns | pattern))
        for pattern in np.unique(wanted)
    ]


@kernel
def _open_slots(n: int) -> _Slots:
    n_slots = 2
    while n_slots < 2 * n + 2:
        n_slots *= 2
    return _Slots(
        np.zeros(n_slots, np.int64), np.full(n_slots, -1, np.int64), np.zeros(n_slots, np.int64)
    )


@kernel
def _agree(one: Ints, row: int, other: Ints, second: int, hidden: int) -> bool:
    for column in range(one.shape[1]):
        if not (hidden >> column) & 1 and one[row, column] != other[second, column]:
            return False
    return True


@kernel
def _find(
    codes: Ints, row: int, hidden: int, counted: Counted, holders: Ints, slots: _Slots
) -> int:
    """The slot of a row without its hidden cells, or the free slot for it.

    Owners of slots are rows of `holders`.
    """
    packed = packed_row(codes, row, hidden, counted.factors)
    slot = slot_of(packed, slots.keys.size)
    while slots.owner[slot] >= 0 and not (
        slots.keys[slot] == packed
        and slots.hides[slot] == hidden
        and _agree(codes, row, holders, slots.owner[slot], hidden)
    ):
        slot = (slot + 1) & (slots.keys.size - 1)
    if slots.owner[slot] < 0:
        slots.keys[slot] = packed
        slots.hides[slot] = hidden
    return slot


@kernel
def _share(mine: int, theirs: int, full: int, rule: MatchRule) -> float:
    if rule.turned:
        return counted_share(theirs, mine, full, rule.several, rule.alpha)
    return counted_share(mine, theirs, full, rule.several, rule.alpha)


@kernel
def _hold(asked: Asked, counted: Counted, slots: _Slots) -> None:
    """Give each asked row a slot for each of its patterns."""
    for row in asked.rows:
        for hidden in asked.unions:
            slot = _find(asked.codes, row, hidden, counted, asked.codes, slots)
            slots.owner[slot] = row


@kernel
def _totals(
    asked: Asked,
    counted: Counted,
    amounts: Floats,
    rule: MatchRule,
    slots: _Slots,
    few: bool,  # noqa: FBT001  compiled: no keywords
) -> Floats:
    """Sum the amounts of counted rows by slot; unless few rows are asked, they own the slots."""
    n, n_kinds = amounts.shape
    full = (1 << counted.codes.shape[1]) - 1
    holders = asked.codes if few else counted.codes
    totals = np.zeros((slots.keys.size, n_kinds))
    for row in range(n):
        share = _share(asked.pattern, counted.missing[row], full, rule)
        if share > 0.0:
            hidden = counted.missing[row] | asked.pattern
            slot = _find(counted.codes, row, hidden, counted, holders, slots)
            if not few:
                slots.owner[slot] = row
            if slots.owner[slot] >= 0:
                for kind in range(n_kinds):
                    totals[slot, kind] += share * amounts[row, kind]
    return totals


@kernel
def _sums(asked: Asked, counted: Counted, amounts: Floats, rule: MatchRule) -> Floats:
    n, n_kinds = amounts.shape
    n_asked = asked.rows.size * asked.unions.size
    # The smaller side has the slots: a small table stays in the cache.
    few = n_asked < n
    slots = _open_slots(min(n_asked, n))
    if few:
        _hold(asked, counted, slots)
    holders = asked.codes if few else counted.codes
    totals = _totals(asked, counted, amounts, rule, slots, few)
    found = np.zeros((asked.rows.size, n_kinds))
    for i in range(asked.rows.size):
        for hidden in asked.unions:
            slot = _find(asked.codes, asked.rows[i], hidden, counted, holders, slots)
            if slots.owner[slot] >= 0:
                for kind in range(n_kinds):
                    found[i, kind] += totals[slot, kind]
    return found


@kernel
def _people(asked: Asked, counted: Counted, held: Held, n_people: int, rule: MatchRule) -> Floats:
    n = counted.missing.size
    full = (1 << counted.codes.shape[1]) - 1
    slots = _open_slots(n)
    previous = np.full(n, -1, np.int64)
    for row in range(n):
        if _share(asked.pattern, counted.missing[row], full, rule) > 0.0:
            hidden = counted.missing[row] | asked.pattern
            slot = _find(counted.codes, row, hidden, counted, counted.codes, slots)
            previous[row] = slots.owner[slot]
            slots.owner[slot] = row
    found = np.zeros((asked.rows.size, 2))
    best, n_rows, weight = np.zeros(n_people), np.zeros(n_people, np.int64), np.zeros(n_people)
    seen = np.empty(n_people, np.int64)
    for i in range(asked.rows.size):
        n_seen = 0
        for hidden in asked.unions:
            slot = _find(asked.codes, asked.rows[i], hidden, counted, counted.codes, slots)
            row = slots.owner[slot]
            while row >= 0:
                share = _share(asked.pattern, counted.missing[row], full, rule)
                for entry in range(held.start[row], held.start[row + 1]):
                    person = held.person[entry]
                    if n_rows[person] == 0:
                        seen[n_seen] = person
                        n_seen += 1
                    best[person] = max(best[person], share)
                    n_rows[person] += held.rows[entry]
                    weight[person] += held.weight[entry]
                row = previous[row]
        for place in range(n_seen):
            person = seen[place]
            found[i, 0] += best[person]
            found[i, 1] += best[person] * weight[person] / n_rows[person]
            best[person], n_rows[person], weight[person] = 0.0, 0, 0.0
    return found


@kernel
def _people_up_to(most: int, asked: Asked, counted: Counted, held: Held, n_people: int) -> Longs:
    n = counted.missing.size
    full = (1 << counted.codes.shape[1]) - 1
    several = counted.codes.shape[1] > 1
    slots = _open_slots(n)
    previous = np.full(n, -1, np.int64)
    for row in range(n):
        if counted_share(asked.pattern, counted.missing[row], full, several, 1.0) > 0.0:
            hidden = counted.missing[row] | asked.pattern
            slot = _find(counted.codes, row, hidden, counted, counted.codes, slots)
            previous[row] = slots.owner[slot]
            slots.owner[slot] = row
    found = np.zeros(asked.rows.size, np.int64)
    last = np.full(n_people, -1, np.int64)
    for i in range(asked.rows.size):
        n_seen = 0
        for hidden in asked.unions:
            slot = _find(asked.codes, asked.rows[i], hidden, counted, counted.codes, slots)
            row = slots.owner[slot]
            while row >= 0 and n_seen < most:
                for entry in range(held.start[row], held.start[row + 1]):
                    if last[held.person[entry]] != i:
                        last[held.person[entry]] = i
                        n_seen += 1
                        if n_seen == most:
                            break
                row = previous[row]
        found[i] = n_seen
    return found
