"""Disclosure risk: one file per measure, and the assessment composed of them."""

from microveil.risk.acceptable_k import ACCEPTABLE_K, acceptable_k
from microveil.risk.assessment import Assessment, WorstClass, assess_table
from microveil.risk.base import RiskMeasure
from microveil.risk.class_sizes import ClassSizes
from microveil.specs import Registry

RISK_MEASURES = Registry[RiskMeasure]("name", ClassSizes)

__all__ = [
    "ACCEPTABLE_K",
    "RISK_MEASURES",
    "Assessment",
    "ClassSizes",
    "RiskMeasure",
    "WorstClass",
    "acceptable_k",
    "assess_table",
]
