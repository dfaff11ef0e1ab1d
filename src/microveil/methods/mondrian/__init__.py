"""Mondrian: top-down partitioning."""

from microveil.methods.mondrian.step import Mondrian

__all__ = ["Mondrian"]
