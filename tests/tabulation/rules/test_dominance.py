from __future__ import annotations

import pytest

import microveil as mv
from tests.tabulation.rules.contributions import unsafe


def test_dominance_without_weights() -> None:
    assert sorted(unsafe(mv.Dominance(n=1, k=75), weighted=False)) == [
        "five",
        "one",
        "three",
        "two",
    ]


def test_the_protection_level_of_the_handbook() -> None:
    # Hundepool et al. 2012, example 4: 300, 20 and 10 under (1, 85): at least 352.94.
    frame = {
        "cell": ["x"] * 3 + ["y"] * 4,
        "value": [300.0, 20.0, 10.0, 400.0, 400.0, 300.0, 200.0],
    }
    made = mv.tabulate(
        frame, mv.Tabulation(by=["cell"], value="value"), rules=[mv.Dominance(n=1, k=85)]
    )
    audit = made.audit_frame()
    assert audit["must_reach_up_to"].to_list() == pytest.approx([300 / 0.85], abs=0.01)
