from __future__ import annotations

import math

import polars as pl
import pytest
from hypothesis import given, settings

from microveil.risk.individual_risk import IndividualRisk
from microveil.tables import Roles, Table
from tests.risk.population.cases import people


@given(people)
@settings(deadline=None, max_examples=50)
def test_a_household_is_found_when_any_member_is(rows: list[tuple[int, int, float]]) -> None:
    frame = pl.DataFrame(rows, schema=["a", "b", "w"], orient="row")
    roles = Roles(quasi_identifiers=["b"], weight="w", household="a")
    alone = IndividualRisk().measure(frame, roles=roles).records
    together = IndividualRisk(level="household").measure(frame, roles=roles).records
    assert alone is not None
    for i, home in enumerate(frame["a"]):
        members = [alone[j] for j, other in enumerate(frame["a"]) if other == home]
        assert together is not None
        assert together[i] == pytest.approx(1 - math.prod(1 - r for r in members), abs=1e-12)


def test_a_record_without_a_household_is_one_of_its_own() -> None:
    frame = {"a": [1, 1, 2, 2], "home": ["x", "x", None, None]}
    roles = Roles(quasi_identifiers=["a"], household="home")
    score = IndividualRisk(level="household").measure(frame, roles=roles)
    assert score.records == pytest.approx([0.75, 0.75, 0.5, 0.5])
    assert score.parts["n_households"] == 3


def test_a_person_with_several_rows_counts_once_at_the_largest_risk() -> None:
    frame = {"a": [1, 1, 2, 1], "who": ["x", "y", "x", "x"]}
    roles = Roles(quasi_identifiers=["a"], entity="who")
    linked = IndividualRisk().measure(frame, roles=roles)
    assert linked.records == pytest.approx([1, 1, 1, 1])  # x has both, y has one
    score = IndividualRisk().measure(Table(frame, roles).drop(["who"]))
    assert score.records == pytest.approx([0.5, 0.5, 1, 0.5])
    assert score.parts["n_people"] == 2
    assert score.parts["expected_reidentifications"] == 1.5
