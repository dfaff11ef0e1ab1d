"""Reorder values by scores drawn from their distribution given other columns."""

from microveil.methods.shuffle.step import Shuffle

__all__ = ["Shuffle"]
