"""Utility: what the protection cost, one file per measure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from microveil.lazy_names import lazy_names
from microveil.measures.base import UtilityMeasure
from microveil.specs import Registry

if TYPE_CHECKING:
    from microveil.utility.ambiguity import Ambiguity
    from microveil.utility.average_class_size import AverageClassSize
    from microveil.utility.cell_changes import CellChanges
    from microveil.utility.cell_loss import CellLoss
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
    from microveil.utility.strategy_score import StrategyScore
    from microveil.utility.table_counts import TableCounts
    from microveil.utility.value_distance import ValueDistance

UTILITY_MEASURES = Registry[UtilityMeasure].of_package(
    "name",
    __name__,
    {
        "cell_changes": "CellChanges",
        "il1s": "IL1s",
        "il1": "IL1",
        "information_loss": "InformationLoss",
        "mean_divergence": "MeanDivergence",
        "eigenvalues": "Eigenvalues",
        "rank_correlation": "RankCorrelation",
        "sse": "Sse",
        "value_distance": "ValueDistance",
        "generalization_loss": "GeneralizationLoss",
        "precision": "Precision",
        "ambiguity": "Ambiguity",
        "discernibility": "Discernibility",
        "average_class_size": "AverageClassSize",
        "entropy_loss": "EntropyLoss",
        "distribution_distance": "DistributionDistance",
        "cell_loss": "CellLoss",
        "strategy_score": "StrategyScore",
        "table_counts": "TableCounts",
        "propensity": "Propensity",
        "confidence_overlap": "ConfidenceOverlap",
        "prediction": "Prediction",
        "clustering": "Clustering",
    },
)

__all__ = [
    "IL1",
    "UTILITY_MEASURES",
    "Ambiguity",
    "AverageClassSize",
    "CellChanges",
    "CellLoss",
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
    "StrategyScore",
    "TableCounts",
    "UtilityMeasure",
    "ValueDistance",
]

if not TYPE_CHECKING:
    __getattr__ = lazy_names(__name__, UTILITY_MEASURES.homes)
