"""Split a table into linked tables."""

from microveil.methods.decompose.step import Decompose

__all__ = ["Decompose"]
