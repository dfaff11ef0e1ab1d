"""The cells of several tables as the search for moves sees them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from microveil.arrays import Ints, Longs
from microveil.kernels.cell_moves.space import MoveSpace, fill_hash
from microveil.tabulation.cell_table import EVERYTHING, CellTable
from microveil.tabulation.cells import Cells
from microveil.tabulation.equations import sums_along

LARGEST_KEY = 2**62


def move_space(cells: Cells) -> MoveSpace | None:
    """The space of moves; None where tables have other leaves for the same variable."""
    variables = sorted({name for table in cells.tables for name in table.tabulation.by})
    leaves = _shared_leaves(cells.tables, variables)
    if leaves is None:
        return None
    nodes = _nodes(cells, variables)
    sizes = nodes.max(axis=0).astype(object) + 1
    strides = [1]
    for size in sizes[:-1]:
        strides.append(strides[-1] * int(size))
    if strides[-1] * int(sizes[-1]) > LARGEST_KEY:
        return None
    keys, places = _hash(nodes.astype(np.int64) @ np.array(strides, dtype=np.int64))
    parents, starts, children = _lines(cells, variables)
    chains = _chains(cells.tables, variables, leaves)
    return MoveSpace(
        nodes,
        np.array(strides, dtype=np.int64),
        keys,
        places,
        np.array([[name in table.tabulation.by for name in variables] for table in cells.tables]),
        chains,
        _finest(chains, leaves, int(nodes.max()) + 1),
        parents,
        starts,
        children,
    )


def _shared_leaves(
    tables: Sequence[CellTable], variables: Sequence[str]
) -> list[dict[str, int]] | None:
    """The number of each leaf of each variable."""
    found: dict[str, tuple[str, ...]] = {}
    for table in tables:
        for dimension in table.dimensions:
            if set(found.setdefault(dimension.name, dimension.leaves)) != set(dimension.leaves):
                return None
    return [{leaf: at for at, leaf in enumerate(found[name])} for name in variables]


def _nodes(cells: Cells, variables: Sequence[str]) -> Ints:
    nodes = np.zeros((cells.n_cells, len(variables)), dtype=np.int32)
    for table in cells.tables:
        for j, name in enumerate(variables):
            if name in table.tabulation.by:
                nodes[table.cells, j] = table.nodes[name].to_numpy() - EVERYTHING
    return nodes


def _hash(all_keys: Longs) -> tuple[Longs, Ints]:
    size = 1 << (2 * len(all_keys)).bit_length()
    keys, places = np.full(size, -1, dtype=np.int64), np.zeros(size, dtype=np.int32)
    fill_hash(all_keys, keys, places)
    return keys, places


def _lines(cells: Cells, variables: Sequence[str]) -> tuple[Ints, Ints, Ints]:
    """For each table and variable what stands above each cell, and what directly below."""
    n, slots = cells.n_cells, len(cells.tables) * len(variables)
    parents = np.full((slots, n), -1, dtype=np.int32)
    starts = np.zeros((slots, n + 1), dtype=np.int32)
    children: list[Longs] = []
    n_before = 0
    for number, table in enumerate(cells.tables):
        by_name = {dimension.name: dimension for dimension in table.dimensions}
        for j, name in enumerate(variables):
            slot = number * len(variables) + j
            starts[slot] = n_before
            if name in by_name:
                above, below = sums_along(table, by_name[name])
                order = np.lexsort((below, above))
                parents[slot, below] = above
                starts[slot, 1:] += np.cumsum(np.bincount(above, minlength=n)).astype(np.int32)
                children.append(below[order])
                n_before += len(below)
    return parents, starts, np.concatenate(children).astype(np.int32)


def _chains(
    tables: Sequence[CellTable], variables: Sequence[str], leaves: Sequence[dict[str, int]]
) -> Ints:
    """The nodes above each leaf, from the finest to everything."""
    depth = max(len(chain) for table in tables for one in table.dimensions for chain in one.chains)
    shape = (len(tables), len(variables), max(map(len, leaves)), depth)
    chains = np.full(shape, -1, dtype=np.int32)
    for number, table in enumerate(tables):
        for dimension in table.dimensions:
            j = variables.index(dimension.name)
            for leaf, chain in zip(dimension.leaves, dimension.chains, strict=True):
                own = [0 if node == dimension.total else node - EVERYTHING for node in chain]
                chains[number, j, leaves[j][leaf], : len(own)] = own
    return chains


def _finest(chains: Ints, leaves: Sequence[dict[str, int]], n_nodes: int) -> Ints:
    """The leaf of each finest node."""
    found = np.full((len(leaves), max(n_nodes, int(chains.max()) + 1)), -1, dtype=np.int32)
    for table in chains:
        for j, chain in enumerate(table):
            known = np.flatnonzero(chain[:, 0] >= 0)
            found[j, chain[known, 0]] = known
    return found
