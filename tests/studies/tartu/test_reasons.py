"""A reason fits the place of its cell."""

from __future__ import annotations

import pytest

from microveil.studies.cells import Cell
from microveil.studies.tartu import reasons
from microveil.studies.tartu.reasons import why


@pytest.mark.parametrize(
    ("where", "quantity", "reason"),
    [
        ({"n": 1000, "ρ": "0.40", "method": "C&S"}, "SE", reasons.VARIANCES),
        ({"n": 1000, "ρ": "0.60", "method": "C&S"}, "SE", reasons.CHANCE),
        ({"n": 1000, "ρ": "0.40", "method": "C&S"}, "bias", reasons.CHANCE),
        ({"n": 30, "ρ": "0.40", "method": "swap 10 %"}, "of X1", reasons.SHARED),
        ({"n": 1000, "variables": 2, "method": "swap 10 %"}, "per cent", reasons.NARROWER),
        ({"n": 30, "variables": 2, "method": "swap 50 %"}, "per cent", reasons.NARROWER),
        ({"n": 30, "variables": 2, "method": "swap 100 %"}, "per cent", reasons.SMALL),
        ({"n": 100, "variables": 2, "method": "shuffling"}, "per cent", reasons.MATCHING),
    ],
)
def test_every_place_has_its_reason(where: dict[str, object], quantity: str, reason: str) -> None:
    assert why(Cell(where, quantity, 0.0)) == reason


def test_only_cells_near_zero_may_share_draws() -> None:
    where = {"n": 1000, "ρ": "0.80", "method": "swap 50 %"}
    assert why(Cell(where, "of X1", 0.27)) == reasons.CHANCE
