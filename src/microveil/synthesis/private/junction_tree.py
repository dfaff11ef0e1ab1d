"""Junction tree: cliques of columns, joined so that marginals of a model are computed exactly.

Columns are integers from 0 on; a clique is a sorted tuple of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod

Clique = tuple[int, ...]


@dataclass(frozen=True)
class JunctionTree:
    """Cliques, ordered so that each comes after its parent."""

    cliques: tuple[Clique, ...]
    parents: tuple[int, ...]
    """Position of each clique's parent; −1 for the first clique of each tree of the forest."""
    separators: tuple[Clique, ...]
    """Columns that each clique shares with its parent."""

    def home(self, columns: Iterable[int]) -> int | None:
        """Position of the first clique that contains the columns; None if there is none."""
        wanted = set(columns)
        for position, clique in enumerate(self.cliques):
            if wanted.issubset(clique):
                return position
        return None


def junction_tree(sizes: Sequence[int], relations: Iterable[Clique]) -> JunctionTree:
    """The tree of a model in which the columns of each relation depend on each other.

    >>> junction_tree([2, 2, 2], [(0, 1), (1, 2)]).cliques
    ((0, 1), (1, 2))
    """
    cliques = elimination_cliques(sizes, neighbour_masks(len(sizes), relations))
    return _join([_members(mask) for mask in _maximal(cliques)])


def table_cells(sizes: Sequence[int], masks: Sequence[int]) -> int:
    """Total number of cells of the tree's tables over a graph: the size of a model.

    >>> table_cells([2, 3, 4], neighbour_masks(3, [(0, 1), (1, 2)]))
    18
    """
    lengths = tuple(sizes)
    return sum(_cells(lengths, mask) for mask in _maximal(elimination_cliques(sizes, masks)))


def neighbour_masks(n_columns: int, relations: Iterable[Clique]) -> list[int]:
    """For each column a bit mask of itself and the columns it shares a relation with."""
    masks = [1 << column for column in range(n_columns)]
    for relation in relations:
        mask = sum(1 << column for column in relation)
        for column in relation:
            masks[column] |= mask
    return masks


def elimination_cliques(sizes: Sequence[int], masks: Sequence[int]) -> list[int]:
    """Cliques (as masks) from eliminating columns, the smallest table first."""
    graph = list(masks)
    left = set(range(len(sizes)))
    lengths = tuple(sizes)
    cells = {column: _cells(lengths, graph[column]) for column in left}
    cliques = []
    while left:
        column = min(left, key=lambda one: (cells[one], one))
        left.remove(column)
        clique = graph[column]
        cliques.append(clique)
        rest = clique & ~(1 << column)
        for other in _members(rest):
            graph[other] = (graph[other] | rest) & ~(1 << column)
            cells[other] = _cells(lengths, graph[other])
    return cliques


@lru_cache(maxsize=1 << 16)
def _cells(sizes: tuple[int, ...], mask: int) -> int:
    return prod(sizes[column] for column in _members(mask))


@lru_cache(maxsize=1 << 16)
def _members(mask: int) -> Clique:
    """Columns in a mask.

    >>> _members(0b1011)
    (0, 1, 3)
    """
    found = []
    while mask:
        bit = mask & -mask
        found.append(bit.bit_length() - 1)
        mask ^= bit
    return tuple(found)


def _maximal(masks: Iterable[int]) -> list[int]:
    kept: list[int] = []
    for mask in sorted(set(masks), key=lambda one: (-one.bit_count(), one)):
        if all(mask & other != mask for other in kept):
            kept.append(mask)
    return kept


def _join(cliques: list[Clique]) -> JunctionTree:
    """Grow a maximum spanning forest by separators (Prim): a junction tree (Jensen 1988)."""
    waiting = set(range(1, len(cliques)))
    order, parents = [0], [-1]
    separators: list[Clique] = [()]
    best = {one: (_separator(cliques[0], cliques[one]), 0) for one in waiting}
    while waiting:
        following = max(waiting, key=lambda one: (len(best[one][0]), -one))
        separator, parent = best[following]
        waiting.remove(following)
        order.append(following)
        parents.append(parent if separator else -1)
        separators.append(separator)
        for one in waiting:
            shared = _separator(cliques[following], cliques[one])
            if len(shared) > len(best[one][0]):
                best[one] = (shared, len(order) - 1)
    return JunctionTree(tuple(cliques[one] for one in order), tuple(parents), tuple(separators))


def _separator(first: Clique, second: Clique) -> Clique:
    return tuple(sorted(set(first) & set(second)))
