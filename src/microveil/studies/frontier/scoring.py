"""The position of a release on the map: the best attack against it, and what it lost."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from microveil.hierarchies import STAR
from microveil.methods import Method
from microveil.risk import (
    IdentityDisclosure,
    IntersectionAttack,
    NoiseFiltering,
    RecordLinkage,
    ReidentificationRisk,
    RiskMeasure,
)
from microveil.tables import Table
from microveil.utility import IL1s, Prediction

TARGET = "salary-class"
SPECIFIC: dict[str, tuple[type[RiskMeasure], ...]] = {
    "rank_swap": (IntersectionAttack, IdentityDisclosure),
    "half_swap": (IdentityDisclosure,),
    "additive_noise": (NoiseFiltering, IdentityDisclosure),
    "multiplicative_noise": (NoiseFiltering, IdentityDisclosure),
    "microaggregate": (IdentityDisclosure,),
    "shuffle": (IdentityDisclosure,),
}
"""Attacks made for a method's weakness, beside linkage by distance."""


@dataclass(frozen=True)
class Standing:
    """Risk and loss of one release, both from 0 to 1."""

    risk: float
    attack: str
    """The attack that succeeds most."""
    loss: float


def standing(original: Table, released: Table, *steps: Method, numbers: bool) -> Standing:
    """Expected share of original records linked by the best attack on the steps; and the loss."""
    risks = dict(_risks(original, released, *steps))
    attack = max(risks, key=lambda name: risks[name])
    loss = _loss_of_numbers if numbers else _loss_of_categories
    return Standing(risks[attack], attack.replace("_", " "), loss(original, released))


def _risks(original: Table, released: Table, *steps: Method) -> list[tuple[str, float]]:
    kept = released.height / max(original.height, 1)
    if not any(step.perturbative for step in steps):
        # What is true but coarse is matched with the generalised original: one in each class.
        score = ReidentificationRisk(missing="wildcard").score(None, released)
        return [("class sizes", kept * float(score.parts["prosecutor"]["average"]))]
    specific = [measure for step in steps for measure in SPECIFIC.get(step.kind(), ())]
    measures: list[type[RiskMeasure]] = list(dict.fromkeys([RecordLinkage, *specific]))
    return [
        (measure.kind(), kept * measure().score(original, released).value) for measure in measures
    ]


def _loss_of_numbers(original: Table, released: Table) -> float:
    """Mean |x − x'| / (√2 σ); a lost cell counts as if replaced by another record's value."""
    parts = IL1s().measure(original, released).parts
    before = original.frame.select(pl.all().cast(pl.Float64)).to_numpy()
    by_chance = float(np.mean([_by_chance(column) for column in before.T]))
    kept = int(parts["n_cells"]) / before.size
    return float(parts["per_cell"]) * kept + by_chance * (1 - kept)


def _by_chance(values: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> float:
    """Mean |x − y| / (√2 σ) over all pairs of records."""
    ordered, n = np.sort(values), len(values)
    spread = float(values.std(ddof=1))
    if spread == 0:
        return 0.0
    weights = 2 * np.arange(n) - n + 1
    return float(2 * (weights @ ordered) / n**2 / (np.sqrt(2) * spread))


def _loss_of_categories(original: Table, released: Table) -> float:
    """How much worse a model learnt from the release predicts the income class."""
    dropped = [name for name in original.columns if name not in released.columns]
    withheld = released.with_columns(
        [pl.Series(name, [STAR] * released.height) for name in dropped]
    )
    return Prediction(target=TARGET, model="logistic").measure(original, withheld).value
