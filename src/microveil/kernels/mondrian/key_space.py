"""The space Mondrian cuts: how far apart the codes of each key column are."""

from typing import NamedTuple

from microveil.kernels.jit import Floats, Ints, Longs, kernel

MISSING = -1
"""The code of a missing key; values are numbered from 0 upward, in the order they are cut in."""
WITHHELD = 2.0
"""Width of a column of which some records have no value: wider than any range, so cut first."""
ALIKE = -1.0
"""Width of a column in which all records are alike: there is nothing to cut."""


class KeySpace(NamedTuple):
    """Distances and trees of d key columns; the tables of all columns lie behind one another."""

    span: Floats
    """(d,) what a width is divided by: the column's width in the whole table."""
    start: Longs
    """(d,) where a column's places begin; −1 where each code is its own place."""
    place: Floats
    """Where each code lies on its column's scale, from code 0 on."""
    tree: Longs
    """(d,) where a column's tree begins; −1 where it has none."""
    levels: Longs
    """(d,) number of levels of the tree, the values themselves and the top included."""
    n_codes: Longs
    """(d,) distinct values of a column: entries of each level of its tree."""
    first: Ints
    """First code of the label that a code has at a level; codes of a label are neighbours."""
    last: Ints
    """Last code of that label."""
    share: Floats
    """Share of the tree's values that lie under that label; 0 for a single value."""


@kernel
def lowest_level(space: KeySpace, column: int, low: int, high: int) -> int:
    """The lowest level at which two present codes of a column with a tree have one label."""
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
    """First and last code of what a cut keeps together: a value, or a branch of a tree.

    A partition whose values lie under one label of a tree is cut between the branches below it.
    """
    if space.tree[column] < 0 or code == MISSING or low == high:
        return int(code), int(code)
    level = lowest_level(space, column, low, high) - 1
    at = space.tree[column] + level * space.n_codes[column] + code
    return int(space.first[at]), int(space.last[at])
