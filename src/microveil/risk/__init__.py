"""Disclosure risk: one file per measure, and the assessment that combines them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from microveil.lazy_names import lazy_names
from microveil.measures.base import RiskMeasure
from microveil.specs import Registry

if TYPE_CHECKING:
    from microveil.risk.assessment.acceptable_k import ACCEPTABLE_K, acceptable_k
    from microveil.risk.assessment.assessment import Assessment, WorstClass, assess_table
    from microveil.risk.assessment.verdicts import Verdict, pair_verdicts, table_verdicts
    from microveil.risk.attribute_disclosure import AttributeDisclosure
    from microveil.risk.class_sizes import ClassSizes
    from microveil.risk.identity_disclosure import IdentityDisclosure
    from microveil.risk.individual_risk import IndividualRisk
    from microveil.risk.inference import Inference
    from microveil.risk.intersection_attack import IntersectionAttack
    from microveil.risk.interval_disclosure import IntervalDisclosure
    from microveil.risk.key_separation import KeySeparation
    from microveil.risk.linkability import Linkability
    from microveil.risk.membership import Membership
    from microveil.risk.nearest_neighbour_ratio import NearestNeighbourRatio
    from microveil.risk.noise_filtering import NoiseFiltering
    from microveil.risk.outside_linkage import OutsideLinkage
    from microveil.risk.population.log_linear import LogLinear
    from microveil.risk.population_risk import PopulationRisk
    from microveil.risk.record_linkage import RecordLinkage
    from microveil.risk.reidentification_risk import ReidentificationRisk
    from microveil.risk.replicated_uniques import ReplicatedUniques
    from microveil.risk.safe_harbor import SafeHarbor
    from microveil.risk.singling_out import SinglingOut
    from microveil.risk.special_uniques import SpecialUniques
    from microveil.risk.trajectory_risk import TrajectoryRisk
    from microveil.risk.value_disclosure import ValueDisclosure

RISK_MEASURES = Registry[RiskMeasure].of_package(
    "name",
    __name__,
    {
        "class_sizes": "ClassSizes",
        "individual_risk": "IndividualRisk",
        "reidentification_risk": "ReidentificationRisk",
        "population_risk": "PopulationRisk",
        "special_uniques": "SpecialUniques",
        "key_separation": "KeySeparation",
        "interval_disclosure": "IntervalDisclosure",
        "record_linkage": "RecordLinkage",
        "identity_disclosure": "IdentityDisclosure",
        "value_disclosure": "ValueDisclosure",
        "intersection_attack": "IntersectionAttack",
        "noise_filtering": "NoiseFiltering",
        "singling_out": "SinglingOut",
        "linkability": "Linkability",
        "inference": "Inference",
        "membership": "Membership",
        "nearest_neighbour_ratio": "NearestNeighbourRatio",
        "replicated_uniques": "ReplicatedUniques",
        "attribute_disclosure": "AttributeDisclosure",
        "outside_linkage": "OutsideLinkage",
        "safe_harbor": "SafeHarbor",
        "trajectory_risk": "TrajectoryRisk",
    },
)

__all__ = [
    "ACCEPTABLE_K",
    "RISK_MEASURES",
    "Assessment",
    "AttributeDisclosure",
    "ClassSizes",
    "IdentityDisclosure",
    "IndividualRisk",
    "Inference",
    "IntersectionAttack",
    "IntervalDisclosure",
    "KeySeparation",
    "Linkability",
    "LogLinear",
    "Membership",
    "NearestNeighbourRatio",
    "NoiseFiltering",
    "OutsideLinkage",
    "PopulationRisk",
    "RecordLinkage",
    "ReidentificationRisk",
    "ReplicatedUniques",
    "RiskMeasure",
    "SafeHarbor",
    "SinglingOut",
    "SpecialUniques",
    "TrajectoryRisk",
    "ValueDisclosure",
    "Verdict",
    "WorstClass",
    "acceptable_k",
    "assess_table",
    "pair_verdicts",
    "table_verdicts",
]

if not TYPE_CHECKING:
    __getattr__ = lazy_names(
        __name__,
        RISK_MEASURES.homes
        | {
            "ACCEPTABLE_K": "assessment.acceptable_k",
            "Assessment": "assessment.assessment",
            "LogLinear": "population.log_linear",
            "Verdict": "assessment.verdicts",
            "WorstClass": "assessment.assessment",
            "acceptable_k": "assessment.acceptable_k",
            "assess_table": "assessment.assessment",
            "pair_verdicts": "assessment.verdicts",
            "table_verdicts": "assessment.verdicts",
        },
    )
