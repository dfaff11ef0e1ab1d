"""Advise: what the search finds, laid over the map of every method."""

from microveil.studies.advise.study import Advise

__all__ = ["Advise"]
