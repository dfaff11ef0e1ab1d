"""Explore: one recipe, or several, at many settings; risk and utility of each on one map."""

from microveil.app.exploration.result import Exploration, Point
from microveil.app.exploration.use_case import explore

__all__ = ["Exploration", "Point", "explore"]
