from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from microveil.app.inspection.detectors.payments import PAYMENTS
from tests.app.inspection.detectors.cases import (
    Maker,
    made,
    profile,
    resembling,
)


@pytest.mark.parametrize(("name", "values", "kind"), resembling(PAYMENTS))
def test_what_only_resembles_it_is_left_alone(name: str, values: list[Any], kind: str) -> None:
    assert profile(name, values).kind != kind


@pytest.mark.parametrize(("maker", "kind"), [("iban", "iban"), ("card", "payment_card")])
def test_numbers_with_valid_checks_are_found_without_a_name(
    makers: Mapping[str, Maker], maker: str, kind: str
) -> None:
    found = profile("x", made(makers[maker]))
    assert (found.kind, found.role) == (kind, "identifier")


def test_cards_are_found_in_number_columns(makers: Mapping[str, Maker]) -> None:
    assert profile("x", [int(number) for number in made(makers["card"])]).kind == "payment_card"


@pytest.mark.parametrize("column", ["x", "count"])
def test_a_few_numbers_that_happen_to_fit_a_check_prove_nothing(
    makers: Mapping[str, Maker], column: str
) -> None:
    assert profile(column, [int(number) for number in made(makers["card"], 3)]).kind is None
