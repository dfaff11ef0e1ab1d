"""Disclosure risk: one file per measure, and the assessment composed of them."""

from microveil.risk.acceptable_k import ACCEPTABLE_K, acceptable_k
from microveil.risk.assessment import Assessment, WorstClass, assess_table
from microveil.risk.base import RiskMeasure
from microveil.risk.class_sizes import ClassSizes
from microveil.risk.individual_risk import IndividualRisk
from microveil.risk.log_linear import LogLinear
from microveil.risk.population_risk import PopulationRisk
from microveil.risk.reidentification_risk import ReidentificationRisk
from microveil.risk.verdicts import Verdict, pair_verdicts, table_verdicts
from microveil.specs import Registry

RISK_MEASURES = Registry[RiskMeasure](
    "name", ClassSizes, IndividualRisk, PopulationRisk, ReidentificationRisk
)

__all__ = [
    "ACCEPTABLE_K",
    "RISK_MEASURES",
    "Assessment",
    "ClassSizes",
    "IndividualRisk",
    "LogLinear",
    "PopulationRisk",
    "ReidentificationRisk",
    "RiskMeasure",
    "Verdict",
    "WorstClass",
    "acceptable_k",
    "assess_table",
    "pair_verdicts",
    "table_verdicts",
]
