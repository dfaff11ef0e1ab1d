from __future__ import annotations

from typing import Any

import pytest

from microveil.app.inspection.detectors.confidential import CONFIDENTIAL
from tests.app.inspection.detectors.cases import (
    examples,
    profile,
    resembling,
)


@pytest.mark.parametrize(("kind", "name", "values"), examples(CONFIDENTIAL))
def test_a_column_shows_its_kind(kind: str, name: str, values: list[Any]) -> None:
    found = profile(name, values)
    assert found.kind == kind
    assert name != "x" or (found.confidence or 0) > 0.8, "values alone must be clear"


@pytest.mark.parametrize(("name", "values", "kind"), resembling(CONFIDENTIAL))
def test_what_only_resembles_it_is_left_alone(name: str, values: list[Any], kind: str) -> None:
    assert profile(name, values).kind != kind


def test_trades_written_as_diagnoses_are_stay_trades() -> None:
    codes = ["A01.1", "C10.1", "F41.2", "G47.1", "J62.0"] * 20
    assert profile("NACE", codes).kind == "occupation"
    assert profile("x", codes).kind == "diagnosis_code"


def test_an_admission_to_hospital_is_no_income_and_a_death_is_about_health() -> None:
    kinds = ["urgente", "programado"] * 40
    assert profile("TIPO_INGRESO", kinds).kind != "money"
    assert profile("INGRESOS", [1200, 900, 1550, 2100] * 20).kind == "money"
    assert profile("EXITUS", [0, 1] * 40).kind == "health"
