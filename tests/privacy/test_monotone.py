"""A model declared monotone still holds when keys are coarsened."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from microveil.privacy.alpha_k_anonymity import AlphaKAnonymity
from microveil.privacy.average_risk import AverageRisk
from microveil.privacy.beta_likeness import BetaLikeness
from microveil.privacy.delta_disclosure import DeltaDisclosure
from microveil.privacy.delta_presence import DeltaPresence
from microveil.privacy.k_anonymity import KAnonymity
from microveil.privacy.k_map import KMap
from microveil.privacy.km_anonymity import KmAnonymity
from microveil.privacy.l_diversity import LDiversity
from microveil.privacy.parts.base import PrivacyModel
from microveil.privacy.population_uniqueness import PopulationUniqueness
from microveil.privacy.t_closeness import TCloseness
from microveil.tables import Classes, Roles, Table
from tests.privacy import naive

TREE = {"tree": {"low": [10, 20], "high": [30, 35]}}
UP: Mapping[str, PrivacyModel] = {
    "k": KAnonymity(k=2),
    "distinct": LDiversity(l=2),
    "entropy": LDiversity(l=1.5, kind="entropy"),
    "recursive": LDiversity(l=2, c=2, kind="recursive"),
    "recursive, small c": LDiversity(l=2, c=0.7, kind="recursive"),
    "estimated map": KMap(k=3, sampling_share=0.3),
    "within classes": KmAnonymity(k=2, m=1, column="s_text", separator=" ", within_classes=True),
}
"""Models that are kept the better the more is reached."""
DOWN: Mapping[str, PrivacyModel] = {
    "equal": TCloseness(t=0.5),
    "ordered": TCloseness(t=0.3, distance="ordered"),
    "hierarchical": TCloseness(t=0.4, distance="hierarchical", hierarchy=TREE),
    "total variation": TCloseness(t=0.5, distance="total_variation"),
    "hellinger": TCloseness(t=0.5, distance="hellinger"),
    "kullback-leibler": TCloseness(t=0.5, distance="kullback_leibler"),
    "kolmogorov-smirnov": TCloseness(t=0.3, distance="kolmogorov_smirnov"),
    "alpha": AlphaKAnonymity(alpha=0.7, k=2),
    "chosen alpha": AlphaKAnonymity(alpha=0.7, k=2, value="10"),
    "basic": BetaLikeness(beta=1),
    "enhanced": BetaLikeness(beta=1, kind="enhanced"),
    "disclosure": DeltaDisclosure(delta=1),
    "average": AverageRisk(threshold=0.5, record_risk=0.4, record_share=0.5),
}
"""Models that are kept the better the less is reached."""


def coarser(table: list[naive.Row], how: str) -> list[naive.Row]:
    """Keys one level up: pairs of values of one key joined, or a key dropped."""

    def up(row: naive.Row) -> naive.Row:
        a, b, s = row
        if how == "drop":
            return (a, 0, s)
        return (a // 2 if isinstance(a, int) else 0, b, s)

    return [up(row) for row in table]


def classes_of(table: list[naive.Row]) -> Classes:
    frame = naive.frame_of(table).with_columns(s_text=pl.col("s").cast(pl.String).fill_null("none"))
    return Classes.of(Table(frame, naive.ROLES))


@pytest.mark.parametrize("how", ["join", "drop"])
@pytest.mark.parametrize("name", [*UP, *DOWN])
@given(table=naive.rows)
def test_what_a_table_reaches_never_gets_worse(name: str, how: str, table: list[naive.Row]) -> None:
    model = UP.get(name) or DOWN[name]
    fine = model.verify(classes_of(table))
    coarse = model.verify(classes_of(coarser(table, how)))
    assert model.monotone
    if name in UP:
        assert coarse.achieved >= fine.achieved * (1 - 1e-12)
    else:
        assert coarse.achieved <= fine.achieved + 1e-12
    assert coarse.holds or not fine.holds


@pytest.mark.parametrize("how", ["join", "drop"])
@given(people=naive.rows, chosen=st.sets(st.integers(0, 23)))
def test_promises_about_a_population_stay_kept_when_both_are_coarsened(
    how: str, people: list[naive.Row], chosen: set[int]
) -> None:
    def both(rows: list[naive.Row]) -> tuple[Classes, pl.DataFrame]:
        table = [row for i, row in enumerate(rows) if i in chosen]
        return naive.classes_of(table), naive.frame_of(rows)

    fine, coarse = both(people), both(coarser(people, how))
    presence = DeltaPresence(maximum=1).against(*fine)
    strict = DeltaPresence(
        minimum=presence.parts["lowest"], maximum=max(presence.parts["highest"], 0.01)
    )
    assume(presence.parts["lowest"] <= max(presence.parts["highest"], 0.01))
    mapped = KMap(k=max(int(KMap(k=2).against(*fine).achieved), 2))
    if strict.against(*fine).holds:
        assert strict.against(*coarse).holds
    if mapped.against(*fine).holds:
        assert mapped.against(*coarse).holds


def test_population_uniqueness_does_not_claim_to_be_monotone() -> None:
    assert not PopulationUniqueness.monotone


def test_an_estimated_share_of_uniques_can_grow_with_coarser_keys() -> None:
    """The example behind that: Zayatz's estimate for fewer, more even classes is larger."""
    model = PopulationUniqueness(threshold=0.5, sampling_share=0.5, estimator="zayatz")
    roles = Roles(quasi_identifiers=["q"])
    fine = model.check({"q": [0, 1, 1, 2, 2, 3, 3]}, roles)
    coarse = model.check({"q": [0, 1, 1, 1, 1, 1, 1]}, roles)
    assert coarse.achieved > fine.achieved
