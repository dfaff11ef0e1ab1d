"""Primary rules: which cells of a table would give a contributor away; one file per rule."""

from typing import Annotated

from microveil.specs import Registry
from microveil.tabulation.rules.dominance import Dominance
from microveil.tabulation.rules.p_percent import PPercent
from microveil.tabulation.rules.parts.base import Judgement, PrimaryRule
from microveil.tabulation.rules.prior_posterior import PriorPosterior
from microveil.tabulation.rules.threshold import Threshold
from microveil.tabulation.rules.zeros import Zeros

RULES: Registry[PrimaryRule] = Registry(
    "rule", Threshold, Zeros, Dominance, PPercent, PriorPosterior
)

AnyRule = Annotated[PrimaryRule, RULES]

__all__ = [
    "RULES",
    "AnyRule",
    "Dominance",
    "Judgement",
    "PPercent",
    "PrimaryRule",
    "PriorPosterior",
    "Threshold",
    "Zeros",
]
