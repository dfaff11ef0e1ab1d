from __future__ import annotations

import math

import pytest

import microveil as mv
from tests.conformance import cases

risks = pytest.mark.parametrize("name", list(mv.RISK_MEASURES.classes))
utilities = pytest.mark.parametrize("name", list(mv.UTILITY_MEASURES.classes))
columns = pytest.mark.parametrize("column", [*cases.COLUMNS, *cases.NESTED])
heights = pytest.mark.parametrize("height", [0, pytest.param(1, marks=pytest.mark.slow), 8])


def test_every_measure_has_a_case_and_is_at_the_top_level() -> None:
    assert set(cases.RISK) == set(mv.RISK_MEASURES.classes)
    assert set(cases.UTILITY) == set(mv.UTILITY_MEASURES.classes)
    for measure in (*mv.RISK_MEASURES, *mv.UTILITY_MEASURES):
        assert getattr(mv, measure.__name__) is measure
        assert len(measure.summary()) > 15


@risks
@columns
@heights
def test_risk_is_a_number_whatever_the_column(name: str, column: str, height: int) -> None:
    series = {**cases.COLUMNS, **cases.NESTED}[column]
    frame = cases.frame_with(series).head(height)
    measure = cases.RISK[name]
    tables = (frame, frame) if measure.needs_original else (frame,)
    score = measure.measure(*tables, roles=cases.roles())
    assert math.isfinite(score.value)
    assert score.records is None or len(score.records) == height


@utilities
@columns
@heights
def test_a_table_against_itself_lost_nothing(name: str, column: str, height: int) -> None:
    series = {**cases.COLUMNS, **cases.NESTED}[column]
    frame = cases.frame_with(series).head(height)
    score = cases.UTILITY[name].measure(frame, frame, roles=cases.roles())
    assert score.value == 0
