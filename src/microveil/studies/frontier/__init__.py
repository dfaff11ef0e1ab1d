"""Frontier: every method of the library on one map of risk and utility."""

from microveil.studies.frontier.study import Frontier

__all__ = ["Frontier"]
