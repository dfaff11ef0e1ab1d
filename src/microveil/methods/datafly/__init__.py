"""Datafly: generalise the most varied key, level by level, and remove the few rare records left."""

from microveil.methods.datafly.step import Datafly

__all__ = ["Datafly"]
