"""How many records each row matches when a missing cell matches every value."""

import numpy as np

from microveil.kernels.jit import Ints, Longs, kernel

MOST_COLUMNS = 62
"""Missing cells of a row are the bits of one number."""
_PACKED_LIMIT = 2**62
_MIX = np.int64(-4658895280553007687)


def missing_bits(codes: Ints) -> Longs:
    """The missing cells of each row as bits: bit c is set where column c is −1.

    >>> missing_bits(np.array([[0, -1], [-1, -1]], dtype=np.int32)).tolist()
    [2, 3]
    """
    n_columns = codes.shape[1]
    if n_columns > MOST_COLUMNS:
        raise ValueError(f"Rows can have {MOST_COLUMNS} columns at most, not {n_columns}.")
    bits = np.int64(1) << np.arange(n_columns, dtype=np.int64)
    missing: Longs = ((codes < 0) * bits).sum(axis=1, dtype=np.int64)
    return missing


def strides(codes: Ints) -> Longs:
    """Factors that pack a row of codes into one number, 0 standing for a missing cell.

    Exact while the product of the columns' sizes fits; else fixed factors as if drawn at random,
    by which two rows among a million share a number once in thirty million tables.
    """
    radices = [int(top) + 2 for top in codes.max(axis=0, initial=-1)]
    factors, product = [], 1
    for radix in radices:
        factors.append(product)
        product *= radix
    if product <= _PACKED_LIMIT:
        return np.array(factors, dtype=np.int64)
    return np.random.default_rng(0).integers(-(2**63), 2**63 - 1, len(radices)) | 1


def wildcard_matches(codes: Ints, counts: Longs, rows: Longs, blanked: int = 0) -> Longs:
    """Number of records that each of these rows would match with the columns of `blanked` missing.

    `codes` are distinct rows (−1 missing), `counts` their records; bit c of `blanked` is column c.
    Two rows match unless a cell is present in both and different. A row with every cell missing
    matches all, but does not count for complete rows of two columns or more (Templ, Kowarik &
    Meindl 2015): the stricter of the readings in use. Time grows with rows times the patterns of
    missing cells.

    >>> codes = np.array([[0, 0], [0, 1], [0, -1]], dtype=np.int32)
    >>> wildcard_matches(codes, np.array([1, 1, 3]), np.arange(3)).tolist()
    [4, 4, 5]
    """
    if len(rows) == 0:
        return np.zeros(0, dtype=np.int64)
    missing = missing_bits(codes)
    wanted = missing[rows] | blanked
    matches = np.zeros(len(rows), dtype=np.int64)
    patterns = np.unique(missing)
    factors = strides(codes)
    for pattern in np.unique(wanted):
        asked = np.flatnonzero(wanted == pattern)
        unions = np.unique(patterns | pattern)
        matches[asked] = _matches(
            codes, counts, missing, factors, rows[asked], int(pattern), unions
        )
    return matches


@kernel
def packed_row(codes: Ints, row: int, hidden: int, factors: Longs) -> int:
    """One number for a row without its hidden columns."""
    packed = 0
    for column in range(codes.shape[1]):
        if not (hidden >> column) & 1:
            packed += (codes[row, column] + 1) * factors[column]
    return packed


@kernel
def packed_rows(codes: Ints, hidden: int, factors: Longs) -> Longs:
    """One number for each row without the hidden columns."""
    packed = np.empty(codes.shape[0], np.int64)
    for row in range(codes.shape[0]):
        packed[row] = packed_row(codes, row, hidden, factors)
    return packed


@kernel
def same_row(codes: Ints, first: int, second: int, hidden: int) -> bool:
    """Whether two rows agree outside the hidden columns."""
    for column in range(codes.shape[1]):
        if not (hidden >> column) & 1 and codes[first, column] != codes[second, column]:
            return False
    return True


@kernel
def slot_of(packed: int, n_slots: int) -> int:
    """Where the search for a packed row starts in a table of a power of two of slots."""
    mixed = (packed ^ (packed >> 29)) * _MIX
    return int((mixed ^ (mixed >> 32)) & (n_slots - 1))


@kernel
def _find(
    codes: Ints, row: int, hidden: int, factors: Longs, keys: Longs, owner: Longs, hides: Longs
) -> int:
    """The slot of a row without its hidden columns: where it stands, or the free one to take."""
    packed = packed_row(codes, row, hidden, factors)
    slot = slot_of(packed, keys.size)
    while owner[slot] >= 0 and not (
        keys[slot] == packed and hides[slot] == hidden and same_row(codes, row, owner[slot], hidden)
    ):
        slot = (slot + 1) & (keys.size - 1)
    keys[slot] = packed
    return slot


@kernel
def _matches(
    codes: Ints,
    counts: Longs,
    missing: Longs,
    factors: Longs,
    rows: Longs,
    pattern: int,
    unions: Longs,
) -> Longs:
    """Matches of rows that all have the cells of `pattern` missing, and no others."""
    n, m = codes.shape
    full = (1 << m) - 1
    n_slots = 2
    while n_slots < 2 * n + 2:
        n_slots *= 2
    keys = np.zeros(n_slots, np.int64)
    owner = np.full(n_slots, -1, np.int64)
    hides = np.zeros(n_slots, np.int64)
    totals = np.zeros(n_slots, np.int64)
    for row in range(n):
        if missing[row] == full and pattern == 0 and m > 1:
            continue
        hidden = missing[row] | pattern
        slot = _find(codes, row, hidden, factors, keys, owner, hides)
        owner[slot] = row
        hides[slot] = hidden
        totals[slot] += counts[row]
    found = np.zeros(rows.size, np.int64)
    for i in range(rows.size):
        for hidden in unions:
            slot = _find(codes, rows[i], hidden, factors, keys, owner, hides)
            if owner[slot] >= 0:
                found[i] += totals[slot]
    return found
