"""Lattice: the generalisations a search looked at, few enough to draw and to choose from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from microveil.search import Node, SearchResult

MOST_DRAWN = 400
"""Nodes that find room in a picture; of larger lattices the best solutions are listed."""
MOST_LISTED = 12


@dataclass(frozen=True)
class NodeView:
    """One generalisation: how far each key goes, and what is known of it."""

    levels: Mapping[str, int]
    solution: bool | None
    loss: float | None
    n_suppressed: int | None
    best: bool
    taken: bool
    """Whether the step generalises so."""

    @property
    def height(self) -> int:
        """Sum of the levels: how general it is as a whole."""
        return sum(self.levels.values())


@dataclass(frozen=True)
class LatticeView:
    """What a search found, ready to be drawn."""

    n_nodes: int
    n_checked: int
    proved: bool
    n_records: int
    nodes: tuple[NodeView, ...]
    """All nodes of a small lattice; none of a large one."""
    best: tuple[NodeView, ...]
    """The best solutions, best first."""
    lowest: Mapping[str, int]
    """Lowest level of each key."""
    titles: Mapping[str, tuple[str, ...]]
    """What each level of a key means, from its lowest to its highest."""


@dataclass(frozen=True)
class Surroundings:
    """A node that was looked at, and those one level of one key away from it."""

    node: NodeView
    below: tuple[NodeView, ...]
    """One key is finer."""
    above: tuple[NodeView, ...]
    """One key is coarser."""


def lattice_view(result: SearchResult, taken: object) -> LatticeView:
    """A search's result as plain data; ``taken`` are the levels that the step took."""
    optimum = result.optimum.levels if result.optimum else None
    drawn = result.nodes() if result.n_nodes <= MOST_DRAWN else ()
    return LatticeView(
        n_nodes=result.n_nodes,
        n_checked=result.n_checked,
        proved=result.proved,
        n_records=result.n_records,
        nodes=tuple(_view(node, optimum, taken) for node in drawn),
        best=tuple(_view(node, optimum, taken) for node in result.best(MOST_LISTED)),
        lowest=dict(zip(result.columns, result.lowest, strict=True)),
        titles=_titles(result),
    )


def _titles(result: SearchResult) -> dict[str, tuple[str, ...]]:
    """The names of the levels of each key, whatever the levels of the others."""
    lowest = dict(zip(result.columns, result.lowest, strict=True))
    return {
        name: tuple(
            result.titles(lowest | {name: level})[name] for level in range(lowest[name], high + 1)
        )
        for name, high in zip(result.columns, result.highest, strict=True)
    }


def surroundings(result: SearchResult, levels: Mapping[str, int]) -> Surroundings:
    """Look at a node and its neighbours."""
    here = result.node(dict(levels))
    beside = [_view(one, None, None) for one in result.around(here)]
    height = sum(here.levels.values())
    return Surroundings(
        _view(here, None, None),
        tuple(one for one in beside if one.height < height),
        tuple(one for one in beside if one.height > height),
    )


def _view(node: Node, optimum: Mapping[str, int] | None, taken: object) -> NodeView:
    return NodeView(
        levels=node.levels,
        solution=node.solution,
        loss=node.loss,
        n_suppressed=node.n_suppressed if node.solution else None,
        best=node.levels == optimum,
        taken=node.levels == taken,
    )
