"""The lattice of generalisations: its space, its losses, and ways to search it."""

from microveil.search.lattice.lattice_search import LatticeSearch, search_lattice
from microveil.search.lattice.result import Node, Reason, SearchResult

__all__ = ["LatticeSearch", "Node", "Reason", "SearchResult", "search_lattice"]
