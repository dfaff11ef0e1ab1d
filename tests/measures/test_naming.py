from __future__ import annotations

from microveil.measures.taking import take
from tests.measures.cases import BOTH, Width


def test_two_of_one_kind_are_told_apart() -> None:
    taken = take([Width(width=1), Width(width=2)], BOTH, asked=True)
    assert {name: one.value for name, one in taken.scores.items()} == {"width": 1, "width_2": 2}
