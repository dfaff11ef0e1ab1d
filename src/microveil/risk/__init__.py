"""Disclosure risk: one file per measure, and the assessment that combines them."""

from microveil.measures.base import RiskMeasure
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
from microveil.risk.singling_out import SinglingOut
from microveil.risk.special_uniques import SpecialUniques
from microveil.risk.value_disclosure import ValueDisclosure
from microveil.specs import Registry

RISK_MEASURES = Registry[RiskMeasure](
    "name",
    ClassSizes,
    IndividualRisk,
    ReidentificationRisk,
    PopulationRisk,
    SpecialUniques,
    KeySeparation,
    IntervalDisclosure,
    RecordLinkage,
    IdentityDisclosure,
    ValueDisclosure,
    IntersectionAttack,
    NoiseFiltering,
    SinglingOut,
    Linkability,
    Inference,
    Membership,
    NearestNeighbourRatio,
    ReplicatedUniques,
    AttributeDisclosure,
    OutsideLinkage,
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
    "SinglingOut",
    "SpecialUniques",
    "ValueDisclosure",
    "Verdict",
    "WorstClass",
    "acceptable_k",
    "assess_table",
    "pair_verdicts",
    "table_verdicts",
]
