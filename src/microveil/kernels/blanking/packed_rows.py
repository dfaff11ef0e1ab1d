"""Rows of codes packed into single integers, with some cells left out."""

import numpy as np

from microveil.arrays import Ints, Longs
from microveil.kernels.jit import kernel, wrapping_kernel

MOST_COLUMNS = 62
"""Missing cells of a row are the bits of one integer."""
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
    missing: Longs = np.zeros(len(codes), dtype=np.int64)
    for column in range(n_columns):
        missing |= (codes[:, column] < 0).astype(np.int64) << column
    return missing


def strides(*tables: Ints) -> Longs:
    """Factors that pack a row of codes of any table into one integer, 0 for a missing cell.

    Exact as long as the product of the columns' sizes fits; otherwise fixed pseudo-random factors,
    with which two rows among a million collide once in thirty million tables.
    """
    tops = np.max([codes.max(axis=0, initial=-1) for codes in tables], axis=0)
    radices = [int(top) + 2 for top in tops]
    factors, product = [], 1
    for radix in radices:
        factors.append(product)
        product *= radix
    if product <= _PACKED_LIMIT:
        return np.array(factors, dtype=np.int64)
    return np.random.default_rng(0).integers(-(2**63), 2**63 - 1, len(radices)) | 1


@wrapping_kernel
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


@wrapping_kernel
def slot_of(packed: int, n_slots: int) -> int:
    """First slot to probe for a packed row; the number of slots is a power of two."""
    mixed = (packed ^ (packed >> 29)) * _MIX
    return int((mixed ^ (mixed >> 32)) & (n_slots - 1))
