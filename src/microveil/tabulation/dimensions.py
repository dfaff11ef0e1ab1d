"""Dimensions: the codes of a table's variables, from the finest to the total."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise

import numpy as np
import polars as pl

from microveil.arrays import Ints, Longs
from microveil.errors import HierarchyError
from microveil.hierarchies import STAR, Hierarchy
from microveil.tables.values import as_text
from microveil.tabulation.tabulation import MISSING


@dataclass(frozen=True, eq=False)
class Dimension:
    """The codes of one variable as one table shows them.

    A *node* is a set of the finest codes. Two codes that stand for the same set (a branch with a
    single industry, say) are one node: their cells are one number, under two names.
    """

    name: str
    codes: tuple[str, ...]
    """All codes, the total first, each branch before its parts."""
    depths: tuple[int, ...]
    """How many branches stand above each code."""
    nodes: Ints
    """The node of each code."""
    chains: tuple[tuple[int, ...], ...]
    """For each leaf, its distinct nodes from the finest to the total."""
    leaves: tuple[str, ...]
    """The finest codes, in the order of ``chains``."""

    @property
    def total(self) -> int:
        """The node of the total."""
        return self.chains[0][-1]

    def node_of(self, code: str) -> int:
        """The node of a code, which must be one of the dimension's."""
        if code not in self.codes:
            raise HierarchyError(
                "Variable '{name}' has no code '{code}'.", name=self.name, code=code
            )
        return int(self.nodes[self.codes.index(code)])

    def pairs(self) -> tuple[Longs, Longs]:
        """Each leaf with each of its nodes."""
        sizes = [len(chain) for chain in self.chains]
        leaves = np.repeat(np.arange(len(self.chains)), sizes)
        return leaves, np.array([node for chain in self.chains for node in chain], dtype=np.int64)

    def steps(self) -> dict[int, int]:
        """The node directly above each node but the total."""
        return {low: high for chain in self.chains for low, high in pairwise(chain)}

    def leaf_numbers(self, series: pl.Series) -> Longs:
        """The leaf of each cell of a column; a value without a code is an error."""
        known = {code: number for number, code in enumerate(self.leaves)}
        texts = pl.Series(as_text(series)).fill_null(MISSING)
        found = texts.replace_strict(known, default=-1, return_dtype=pl.Int64).to_numpy()
        if (found < 0).any():
            raise HierarchyError(
                "Column '{name}' has the code '{code}', which the hierarchy of the table does not "
                "list ({n:,} rows have such codes). Add it to the hierarchy.",
                name=self.name,
                code=texts.filter(pl.Series(found < 0))[0],
                n=int((found < 0).sum()),
            )
        return found


@dataclass
class Nodes:
    """The nodes of one variable over all tables: equal sets of leaves have one number."""

    name: str
    leaves: dict[str, int] = field(default_factory=dict)
    sets: dict[frozenset[int], int] = field(default_factory=dict)

    def number(self, leaves: Iterable[str]) -> int:
        """The number of the node that stands for these leaves."""
        these = frozenset(self.leaves.setdefault(leaf, len(self.leaves)) for leaf in leaves)
        return self.sets.setdefault(these, len(self.sets))

    def dimension(self, rows: Sequence[tuple[str, ...]], total: str) -> Dimension:
        """The dimension of a hierarchy: one row per leaf, its codes from the finest upwards."""
        rows = [_path(self.name, row, total) for row in rows]
        below: dict[tuple[str, ...], list[str]] = {}
        for row in rows:
            for start in range(len(row)):
                below.setdefault(row[start:], []).append(row[0])
        _refuse_two_places(self.name, below, rows)
        numbers = {path: self.number(leaves) for path, leaves in below.items()}
        chains = [
            tuple(dict.fromkeys(numbers[row[start:]] for start in range(len(row)))) for row in rows
        ]
        paths = _in_order(below)
        return Dimension(
            self.name,
            tuple(path[0] for path in paths),
            tuple(len(path) - 1 for path in paths),
            np.array([numbers[path] for path in paths], dtype=np.int32),
            tuple(chains),
            tuple(row[0] for row in rows),
        )


def _path(name: str, row: Sequence[str], total: str) -> tuple[str, ...]:
    """A leaf with all that stands above it; a code that stands above itself is an error."""
    if row[0] == total:
        raise HierarchyError(
            "Variable '{name}' has the code '{code}', which is also the code of its total. Give "
            "the total another name: `total_code`.",
            name=name,
            code=total,
        )
    path = [code for code, _ in groupby((*row, total))]
    twice = next((code for at, code in enumerate(path) if code in path[:at]), None)
    if twice is not None:
        raise HierarchyError(
            "Code '{code}' of variable '{name}' stands above itself in the hierarchy of the table.",
            name=name,
            code=twice,
        )
    return tuple(path)


def _refuse_two_places(
    name: str, below: Mapping[tuple[str, ...], Sequence[str]], rows: Sequence[tuple[str, ...]]
) -> None:
    """Refuse a code that stands for two sets of leaves."""
    counts = Counter(path[0] for path in below)
    twice = next((code for code, n in counts.items() if n > 1), None)
    if twice is None:  # a leaf with the name of its own branch, which has other leaves too
        twice = next((row[0] for row in rows if len(below[row]) > 1), None)
    if twice is not None:
        raise HierarchyError(
            "Code '{code}' of variable '{name}' stands at two places in the hierarchy of the "
            "table. Give each code one place.",
            name=name,
            code=twice,
        )


def _in_order(paths: Mapping[tuple[str, ...], object]) -> list[tuple[str, ...]]:
    """Paths with each branch before its parts, otherwise as they came."""
    children: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
    for path in paths:
        children.setdefault(path[1:], []).append(path)
    order: list[tuple[str, ...]] = []
    waiting = children[()][::-1]
    while waiting:
        path = waiting.pop()
        order.append(path)
        waiting.extend(children.get(path, [])[::-1])
    return order


def hierarchy_rows(hierarchy: Hierarchy) -> list[tuple[str, ...]]:
    """The codes of each leaf from the finest upwards, without the ``*`` on top."""
    return [tuple(code for code in row if code != STAR) for row in hierarchy.text_rows()]


def flat_rows(series: pl.Series) -> list[tuple[str, ...]]:
    """The distinct values of a column, sorted as it sorts them, each directly below the total."""
    distinct = series.unique().sort(nulls_last=True)
    return [(text if text is not None else MISSING,) for text in as_text(distinct)]
