"""Zaragoza (S2): Mondrian against Datafly, and against what came after them."""

from microveil.studies.zaragoza.study import Zaragoza

__all__ = ["Zaragoza"]
