"""The lattice of generalisations: its space, its losses, and ways to search it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from microveil.lazy_names import lazy_names

if TYPE_CHECKING:
    from microveil.search.lattice.lattice_search import LatticeSearch, search_lattice
    from microveil.search.lattice.result import Node, Reason, SearchResult

__all__ = [
    "LatticeSearch",
    "Node",
    "Reason",
    "SearchResult",
    "search_lattice",
]

if not TYPE_CHECKING:
    __getattr__ = lazy_names(
        __name__,
        {
            "LatticeSearch": "lattice.lattice_search",
            "Node": "lattice.result",
            "Reason": "lattice.result",
            "SearchResult": "lattice.result",
            "search_lattice": "lattice.lattice_search",
        },
    )
