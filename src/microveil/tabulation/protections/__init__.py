"""Protections of tables: one file or package each."""

from typing import Annotated

from microveil.specs import Registry, Spec
from microveil.tabulation.protections.cell_keys.spec import CellKeys
from microveil.tabulation.protections.rounding import RoundCells
from microveil.tabulation.protections.small_counts import RoundSmallCounts
from microveil.tabulation.protections.suppression.spec import Suppress

PROTECTIONS: Registry[Spec] = Registry(
    "protection", Suppress, RoundCells, RoundSmallCounts, CellKeys
)

AnyProtection = Annotated[Spec, PROTECTIONS]

__all__ = ["PROTECTIONS", "AnyProtection", "CellKeys", "RoundCells", "RoundSmallCounts", "Suppress"]
