from __future__ import annotations

import microveil as mv
from tests.tabulation.rules.contributions import unsafe


def test_too_few_contributors() -> None:
    assert sorted(unsafe(mv.Threshold(n=3), weighted=False)) == ["four", "one", "three", "two"]


def test_the_level_is_a_share_of_the_value() -> None:
    frame = {"cell": ["x"] * 2 + ["y"] * 5, "value": [30.0, 20.0] + [40.0] * 5}
    table = mv.Tabulation(by=["cell"], value="value")
    made = mv.tabulate(frame, table, rules=[mv.Threshold(n=3, level=10)])
    assert made.audit_frame()["must_reach_up_to"].to_list() == [55.0]
