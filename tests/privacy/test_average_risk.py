from __future__ import annotations

import pytest
from hypothesis import given

from microveil.errors import SpecError
from microveil.privacy.average_risk import AverageRisk
from microveil.tables import Missing, Roles
from tests.privacy import naive


@pytest.mark.parametrize("missing", ["category", "wildcard"])
@given(table=naive.rows)
def test_it_averages_the_risk_of_the_records(missing: Missing, table: list[naive.Row]) -> None:
    own = naive.groups(table)
    seen = naive.matching(table) if missing == "wildcard" else own
    risks = [1 / len(seen[tuple(row[:-1])]) for row in table]
    model = AverageRisk(threshold=0.3, record_risk=0.4, record_share=0.25)
    check = model.verify(naive.classes_of(table, missing))
    above = sum(risk > 0.4 for risk in risks) / len(risks)
    average = sum(risks) / len(risks)
    assert check.achieved == pytest.approx(average)
    assert check.parts["record_share"] == pytest.approx(above)
    assert check.holds == (average <= 0.3 + 1e-9 and above <= 0.25)
    assert check.holds == (check.n_broken == 0)


def test_a_broken_average_breaks_in_the_small_classes() -> None:
    frame = {"q": [1] * 8 + [2, 3]}
    check = AverageRisk(threshold=0.2).check(frame, Roles(quasi_identifiers=["q"]))
    assert (check.achieved, check.n_broken) == (0.3, 2)


def test_the_threshold_itself_is_allowed() -> None:
    frame = {"q": [1] * 10 + [2] * 10 + [3] * 10}
    check = AverageRisk(threshold=0.1).check(frame, Roles(quasi_identifiers=["q"]))
    assert check.holds


def test_a_share_needs_the_risk_it_is_above_of() -> None:
    with pytest.raises(SpecError, match="record_risk"):
        AverageRisk.parse({"model": "average_risk", "threshold": 0.1, "record_share": 0.1})


def test_an_empty_table_keeps_the_promise() -> None:
    model = AverageRisk(threshold=0.1, record_risk=0.1)
    assert model.check({"q": []}, Roles(quasi_identifiers=["q"])).holds
