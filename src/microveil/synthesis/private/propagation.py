"""Propagation: probabilities of all cliques of a junction tree from its factors.

Tables are multiplied in place, as in the Hugin scheme (Jensen, Lauritzen and Olesen 1990): one pass
towards the roots, one back. Time is proportional to the cells of the tree's tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from microveil.arrays import Floats
from microveil.errors import InternalError
from microveil.synthesis.private.junction_tree import Clique, JunctionTree, junction_tree
from microveil.synthesis.private.marginals import n_cells, shape_of, spread_shape, summed_axes

_TINY = 1e-100
"""The product of two factors above this is a normal (not subnormal) number."""
_AT_ONCE = 8
"""Number of factors (each at least e^-40 of its largest) whose product is a normal number."""


@dataclass(frozen=True)
class _Edge:
    """How a clique and its parent exchange messages."""

    child: int
    parent: int
    from_child: tuple[int, ...]
    from_parent: tuple[int, ...]
    in_child: tuple[int, ...]
    in_parent: tuple[int, ...]


class Propagation:
    """The tables of a junction tree, and the marginals that can be read from them."""

    def __init__(self, sizes: Sequence[int], relations: Iterable[Clique]) -> None:
        """Build the tree of a model with the given relations between columns."""
        self.sizes = tuple(sizes)
        self.tree: JunctionTree = junction_tree(self.sizes, relations)
        self.beliefs: list[Floats] = [
            np.empty(shape_of(sizes, clique)) for clique in self.tree.cliques
        ]

    @property
    def n_cells(self) -> int:
        """Cells of all tables."""
        return sum(n_cells(self.sizes, clique) for clique in self.tree.cliques)

    @cached_property
    def _edges(self) -> tuple[_Edge, ...]:
        tree, sizes = self.tree, self.sizes
        edges = []
        for child, (parent, shared) in enumerate(zip(tree.parents, tree.separators, strict=True)):
            if parent >= 0:
                low, high = tree.cliques[child], tree.cliques[parent]
                edges.append(
                    _Edge(
                        child,
                        parent,
                        summed_axes(low, shared),
                        summed_axes(high, shared),
                        spread_shape(sizes, shared, low),
                        spread_shape(sizes, shared, high),
                    )
                )
        return tuple(edges)

    def calibrate(self, factors: Mapping[Clique, Floats]) -> float:
        """Set each clique's table to its probabilities under the product of the factors.

        Returns the logarithm of the normalising constant.
        """
        log_total = self._multiply(factors)
        sent: list[Floats] = []
        for edge in reversed(self._edges):
            message = self.beliefs[edge.child].sum(axis=edge.from_child)
            weight = float(message.sum())
            log_total += _log(weight)
            message /= weight
            self.beliefs[edge.child] /= weight
            self.beliefs[edge.parent] *= message.reshape(edge.in_parent)
            log_total += _settle(self.beliefs[edge.parent])
            sent.append(message)
        for root, parent in enumerate(self.tree.parents):
            if parent < 0:
                weight = float(self.beliefs[root].sum())
                log_total += _log(weight)
                self.beliefs[root] /= weight
        for edge, message in zip(self._edges, reversed(sent), strict=True):
            answer = self.beliefs[edge.parent].sum(axis=edge.from_parent)
            ratio = np.divide(answer, message, out=np.zeros_like(answer), where=message > 0)
            self.beliefs[edge.child] *= ratio.reshape(edge.in_child)
        return log_total

    def _multiply(self, factors: Mapping[Clique, Floats]) -> float:
        """Multiply each clique's factors; return the logarithm of what was divided out."""
        log_total = 0.0
        n_factors = [0] * len(self.beliefs)
        for columns, factor in factors.items():
            home = self.home(columns)
            spread = factor.reshape(spread_shape(self.sizes, columns, self.tree.cliques[home]))
            if n_factors[home]:
                self.beliefs[home] *= spread
            else:
                self.beliefs[home][...] = spread
            n_factors[home] += 1
            if n_factors[home] % _AT_ONCE == 0:
                log_total += _settle(self.beliefs[home])
        for belief, n in zip(self.beliefs, n_factors, strict=True):
            if n == 0:
                belief.fill(1.0)
            log_total += _settle(belief)
        return log_total

    def home(self, columns: Clique) -> int:
        """Position of the clique that contains a relation of the model."""
        if columns not in self._homes:
            home = self.tree.home(columns)
            if home is None:
                raise KeyError(columns)
            self._homes[columns] = home
        return self._homes[columns]

    @cached_property
    def _homes(self) -> dict[Clique, int]:
        return {}

    def holds(self, columns: Clique) -> bool:
        """Whether some clique contains the columns, so that their marginal can be read off."""
        return columns in self._homes or self.tree.home(columns) is not None

    def marginal(self, columns: Clique) -> Floats:
        """Probabilities of a marginal within one clique; one axis per column."""
        home = self.home(columns)
        clique = self.tree.cliques[home]
        if clique == columns:
            return self.beliefs[home]
        table: Floats = self.beliefs[home].sum(axis=summed_axes(clique, columns))
        return table


def _settle(table: Floats) -> float:
    """Divide by the largest value and drop negligible ones; the logarithm of the divisor.

    Products of tiny numbers would be subnormal, and arithmetic on those is a hundred times slower.
    """
    if table.min() >= _TINY:
        return 0.0
    largest = float(table.max())
    logarithm = _log(largest)
    table /= largest
    np.putmask(table, table < _TINY, 0.0)
    return logarithm


def _log(weight: float) -> float:
    if not weight > 0:
        raise InternalError("A model of noisy marginals gives every record probability zero.")
    return float(np.log(weight))
