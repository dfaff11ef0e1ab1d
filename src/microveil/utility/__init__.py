"""What protection cost: one file per utility measure."""

from microveil.specs import Registry
from microveil.utility.base import UtilityMeasure
from microveil.utility.cell_changes import CellChanges
from microveil.utility.il1s import IL1s
from microveil.utility.information_loss import InformationLoss
from microveil.utility.rank_correlation import RankCorrelation
from microveil.utility.sse import Sse

UTILITY_MEASURES = Registry[UtilityMeasure](
    "name", CellChanges, IL1s, InformationLoss, RankCorrelation, Sse
)

__all__ = [
    "UTILITY_MEASURES",
    "CellChanges",
    "IL1s",
    "InformationLoss",
    "RankCorrelation",
    "Sse",
    "UtilityMeasure",
]
