"""What protection cost: one file per utility measure."""

from microveil.specs import Registry
from microveil.utility.base import UtilityMeasure
from microveil.utility.cell_changes import CellChanges

UTILITY_MEASURES = Registry[UtilityMeasure]("name", CellChanges)

__all__ = ["UTILITY_MEASURES", "CellChanges", "UtilityMeasure"]
