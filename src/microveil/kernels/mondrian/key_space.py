"""The space that Mondrian cuts: distances between the codes of each key column."""

from typing import NamedTuple

from microveil.arrays import Floats, Ints, Longs
from microveil.kernels.jit import kernel

MISSING = -1
"""The code of a missing key; values are numbered from 0, in the order in which they are cut."""
WITHHELD = 2.0
"""Width of a column with some missing values: wider than any range, so it is cut first."""
ALIKE = -1.0
"""Width of a column in which all records are equal: there is nothing to cut."""


class KeySpace(NamedTuple):
    """Distances and hierarchies of d key columns; the tables of all columns are concatenated."""

    span: Floats
    """(d,) divisor of a width: the column's width in the whole table."""
    start: Longs
    """(d,) where a column's positions begin; −1 if each code is its own position."""
    place: Floats
    """Position of each code on its column's scale, from code 0 on."""
    tree: Longs
    """(d,) where a column's hierarchy begins; −1 if it has none."""
    levels: Longs
    """(d,) number of levels of the hierarchy, including the values themselves and the top."""
    n_codes: Longs
    """(d,) distinct values of a column: entries of each level of its hierarchy."""
    first: Ints
    """First code under the label of a code at a level; codes under a label are consecutive."""
    last: Ints
    """Last code under that label."""
    share: Floats
    """Share of the column's values under that label; 0 for a single value."""


@kernel
def lowest_level(space: KeySpace, column: int, low: int, high: int) -> int:
    """The lowest level at which two present codes of a column with a hierarchy share a label."""
    here = space.tree[column]
    level = 0
    while space.first[here + low] != space.first[here + high]:
        here += space.n_codes[column]
        level += 1
    return level


@kernel
def width_of(space: KeySpace, column: int, low: int, high: int) -> float:
    """Width of the codes from low to high, as a share of the column's width in the table."""
    if low == high:
        return ALIKE
    if low == MISSING:
        return WITHHELD
    if space.tree[column] >= 0:
        at = space.tree[column] + lowest_level(space, column, low, high) * space.n_codes[column]
        return float(space.share[at + low] / space.span[column])
    if space.start[column] >= 0:
        at = space.start[column]
        return float((space.place[at + high] - space.place[at + low]) / space.span[column])
    return float((high - low) / space.span[column])


@kernel
def cut_group(space: KeySpace, column: int, low: int, high: int, code: int) -> tuple[int, int]:
    """First and last code of what a cut keeps together: a value, or a branch of a hierarchy.

    A partition whose values share a label of a hierarchy is cut between the branches below it.
    """
    if space.tree[column] < 0 or code == MISSING or low == high:
        return int(code), int(code)
    level = lowest_level(space, column, low, high) - 1
    at = space.tree[column] + level * space.n_codes[column] + code
    return int(space.first[at]), int(space.last[at])
