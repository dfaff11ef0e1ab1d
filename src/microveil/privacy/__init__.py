"""Privacy models: what a table must satisfy before it may be released, one file per model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from microveil.lazy_names import lazy_names
from microveil.privacy.parts.base import PrivacyModel
from microveil.specs import Registry

if TYPE_CHECKING:
    from microveil.privacy.alpha_k_anonymity import AlphaKAnonymity
    from microveil.privacy.average_risk import AverageRisk
    from microveil.privacy.beta_likeness import BetaLikeness
    from microveil.privacy.delta_disclosure import DeltaDisclosure
    from microveil.privacy.delta_presence import DeltaPresence
    from microveil.privacy.k_anonymity import KAnonymity
    from microveil.privacy.k_map import KMap
    from microveil.privacy.km_anonymity import KmAnonymity
    from microveil.privacy.l_diversity import LDiversity
    from microveil.privacy.parts.base import Check
    from microveil.privacy.parts.reached import strictest_parameters
    from microveil.privacy.population_uniqueness import PopulationUniqueness
    from microveil.privacy.t_closeness import TCloseness

MODELS = Registry[PrivacyModel].of_package(
    "model",
    __name__,
    {
        "k_anonymity": "KAnonymity",
        "l_diversity": "LDiversity",
        "t_closeness": "TCloseness",
        "alpha_k_anonymity": "AlphaKAnonymity",
        "beta_likeness": "BetaLikeness",
        "delta_disclosure": "DeltaDisclosure",
        "delta_presence": "DeltaPresence",
        "k_map": "KMap",
        "average_risk": "AverageRisk",
        "population_uniqueness": "PopulationUniqueness",
        "km_anonymity": "KmAnonymity",
    },
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
    "strictest_parameters",
]

if not TYPE_CHECKING:
    __getattr__ = lazy_names(
        __name__,
        MODELS.homes
        | {
            "Check": "parts.base",
            "strictest_parameters": "parts.reached",
        },
    )
