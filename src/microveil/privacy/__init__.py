"""Privacy models: what a table must satisfy before it may be released, one file per model."""

from microveil.privacy.alpha_k_anonymity import AlphaKAnonymity
from microveil.privacy.average_risk import AverageRisk
from microveil.privacy.beta_likeness import BetaLikeness
from microveil.privacy.delta_disclosure import DeltaDisclosure
from microveil.privacy.delta_presence import DeltaPresence
from microveil.privacy.k_anonymity import KAnonymity
from microveil.privacy.k_map import KMap
from microveil.privacy.km_anonymity import KmAnonymity
from microveil.privacy.l_diversity import LDiversity
from microveil.privacy.parts.base import Check, PrivacyModel
from microveil.privacy.parts.reached import reached
from microveil.privacy.population_uniqueness import PopulationUniqueness
from microveil.privacy.t_closeness import TCloseness
from microveil.specs import Registry

MODELS = Registry[PrivacyModel](
    "model",
    KAnonymity,
    LDiversity,
    TCloseness,
    AlphaKAnonymity,
    BetaLikeness,
    DeltaDisclosure,
    DeltaPresence,
    KMap,
    AverageRisk,
    PopulationUniqueness,
    KmAnonymity,
)

__all__ = [
    "MODELS",
    "AlphaKAnonymity",
    "AverageRisk",
    "BetaLikeness",
    "Check",
    "DeltaDisclosure",
    "DeltaPresence",
    "KAnonymity",
    "KMap",
    "KmAnonymity",
    "LDiversity",
    "PopulationUniqueness",
    "PrivacyModel",
    "TCloseness",
    "reached",
]
