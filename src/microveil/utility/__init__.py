"""Utility: what the protection cost, one file per measure."""

from microveil.measures.base import UtilityMeasure
from microveil.specs import Registry
from microveil.utility.ambiguity import Ambiguity
from microveil.utility.average_class_size import AverageClassSize
from microveil.utility.cell_changes import CellChanges
from microveil.utility.clustering import Clustering
from microveil.utility.confidence_overlap import ConfidenceOverlap
from microveil.utility.discernibility import Discernibility
from microveil.utility.distribution_distance import DistributionDistance
from microveil.utility.eigenvalues import Eigenvalues
from microveil.utility.entropy_loss import EntropyLoss
from microveil.utility.generalization_loss import GeneralizationLoss
from microveil.utility.il1 import IL1
from microveil.utility.il1s import IL1s
from microveil.utility.information_loss import InformationLoss
from microveil.utility.mean_divergence import MeanDivergence
from microveil.utility.precision import Precision
from microveil.utility.prediction import Prediction
from microveil.utility.propensity import Propensity
from microveil.utility.rank_correlation import RankCorrelation
from microveil.utility.sse import Sse
from microveil.utility.table_counts import TableCounts
from microveil.utility.value_distance import ValueDistance

UTILITY_MEASURES = Registry[UtilityMeasure](
    "name",
    CellChanges,
    IL1s,
    IL1,
    InformationLoss,
    MeanDivergence,
    Eigenvalues,
    RankCorrelation,
    Sse,
    ValueDistance,
    GeneralizationLoss,
    Precision,
    Ambiguity,
    Discernibility,
    AverageClassSize,
    EntropyLoss,
    DistributionDistance,
    TableCounts,
    Propensity,
    ConfidenceOverlap,
    Prediction,
    Clustering,
)

__all__ = [
    "IL1",
    "UTILITY_MEASURES",
    "Ambiguity",
    "AverageClassSize",
    "CellChanges",
    "Clustering",
    "ConfidenceOverlap",
    "Discernibility",
    "DistributionDistance",
    "Eigenvalues",
    "EntropyLoss",
    "GeneralizationLoss",
    "IL1s",
    "InformationLoss",
    "MeanDivergence",
    "Precision",
    "Prediction",
    "Propensity",
    "RankCorrelation",
    "Sse",
    "TableCounts",
    "UtilityMeasure",
    "ValueDistance",
]
