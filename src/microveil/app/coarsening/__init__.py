"""Coarsening: ladders of ways to coarsen a column, and how far to climb them."""

from microveil.app.coarsening.ladders import Ladder, climb, ladder_of, packed_rungs

__all__ = ["Ladder", "climb", "ladder_of", "packed_rungs"]
