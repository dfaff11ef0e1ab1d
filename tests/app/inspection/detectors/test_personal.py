from __future__ import annotations

from typing import Any

import pytest

from microveil.app.inspection.detectors.personal import NAMES, PEOPLE
from tests.app.inspection.detectors.cases import (
    examples,
    profile,
    resembling,
)

DETECTED = [*NAMES, *PEOPLE]


@pytest.mark.parametrize(("kind", "name", "values"), examples(DETECTED))
def test_a_column_shows_its_kind(kind: str, name: str, values: list[Any]) -> None:
    found = profile(name, values)
    assert found.kind == kind
    assert name != "x" or (found.confidence or 0) > 0.8, "values alone must be clear"


@pytest.mark.parametrize(("name", "values", "kind"), resembling(DETECTED))
def test_what_only_resembles_it_is_left_alone(name: str, values: list[Any], kind: str) -> None:
    assert profile(name, values).kind != kind
