from __future__ import annotations

from typing import Any

import pytest

from microveil.app.inspection.detectors.design import DESIGN
from tests.app.inspection.detectors.cases import (
    examples,
    profile,
    resembling,
)


@pytest.mark.parametrize(("kind", "name", "values"), examples(DESIGN))
def test_a_column_shows_its_kind(kind: str, name: str, values: list[Any]) -> None:
    found = profile(name, values)
    assert found.kind == kind
    assert name != "x" or (found.confidence or 0) > 0.8, "values alone must be clear"


@pytest.mark.parametrize(("name", "values", "kind"), resembling(DESIGN))
def test_what_only_resembles_it_is_left_alone(name: str, values: list[Any], kind: str) -> None:
    assert profile(name, values).kind != kind


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("factor de elevación", "weight"),
        ("factor_expansion", "weight"),
        ("identificador hogar", "household"),
        ("numéro du ménage", "household"),
        ("Haushalts-ID", "household"),
        ("id_del_hogar", "household"),
    ],
)
def test_design_columns_have_names_in_several_languages(name: str, role: str) -> None:
    values = [i // 3 + 1 for i in range(90)]
    assert profile(name, values).role == role


@pytest.mark.parametrize("name", ["nº persona", "num_ind", "person_nr", "número de orden"])
def test_members_are_counted_in_several_languages(name: str) -> None:
    assert profile(name, [1, 2, 3] * 30).kind == "member_number"
