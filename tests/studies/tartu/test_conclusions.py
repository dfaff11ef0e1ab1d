"""The slides' sentences are asked of the cells, and can be wrong."""

from __future__ import annotations

import pytest

from microveil.studies.cells import Cell
from microveil.studies.tartu.conclusions import conclusions

FOUND = {"C&S": 99.0, "shuffling": 0.1, "swap 10 %": 40.0, "swap 50 %": 2.0, "swap 100 %": 0.2}
BIASES = {"C&S": 0.001, "shuffling": -0.002, "swap 10 %": 0.01, "swap 50 %": 0.2, "swap 100 %": 0.4}


def asked(found: dict[str, float], biases: dict[str, float], small: float = 4.0) -> list[bool]:
    where = {"n": 1000, "ρ": "0.40"}
    cells = {
        "rank": [Cell({**where, "method": name}, "bias", value) for name, value in biases.items()]
        + [Cell({**where, "method": "C&S"}, "SE", 9.0)],
        "identity": [
            Cell({"n": n, "variables": 6, "method": name}, "per cent", value)
            for name, value in found.items()
            for n in (1000,)
        ]
        + [Cell({"n": 30, "variables": 6, "method": "shuffling"}, "per cent", small)],
    }
    told = conclusions(cells)
    assert {cell.mark for cell in told.cells} == {"new"}
    return [bool(cell.ours) for cell in told.cells]


def test_all_four_hold_where_the_cells_say_so() -> None:
    assert asked(FOUND, BIASES) == [True, True, True, True]


def test_a_method_is_safe_only_if_it_is_at_every_size() -> None:
    assert asked(FOUND, BIASES, small=7.0) == [True, True, True, False]


@pytest.mark.parametrize(
    ("found", "biases", "broken"),
    [
        ({}, {"C&S": 0.1}, 0),
        ({"C&S": 90.0}, {}, 1),
        ({"swap 100 %": 1.1}, {}, 2),
        ({}, {"shuffling": -0.5, "C&S": 0.5}, 3),
        ({"shuffling": 5.0}, {}, 3),
    ],
)
def test_a_sentence_does_not_hold_where_the_cells_say_otherwise(
    found: dict[str, float], biases: dict[str, float], broken: int
) -> None:
    told = asked({**FOUND, **found}, {**BIASES, **biases})
    assert [place for place, holds in enumerate(told) if not holds] == [broken]
