"""Axes end where the points do, and labels do not lie on each other."""

from __future__ import annotations

from dataclasses import replace

import pytest

from microveil.web.parts.charts import Point, crowd, reach, ru_map
from tests.web.drawing import drawn


@pytest.mark.parametrize("shares", [[0.0], [0.004, 0.01], [0.5], [0.51], [1.0], []])
def test_an_axis_holds_every_share_and_ends_at_a_round_number(shares: list[float]) -> None:
    assert reach(shares) >= max(shares, default=0)
    assert reach(shares) in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)


def test_labels_of_points_that_lie_together_stand_below_each_other() -> None:
    far, near, here = Point("3", 0.9, 0.9), Point("2", 0.5, 0.51), Point("1", 0.51, 0.5)
    ends = (1.0, 1.0)
    assert crowd(near, [here], ends) == 1
    assert crowd(far, [near, here], ends) == crowd(here, [], ends) == 0
    assert crowd(near, [replace(here, kind="now")], ends) == 0  # its label is above
    assert crowd(replace(near, kind="now"), [here], ends) == 0
    assert crowd(near, [here], (0.05, 1.0)) == 0  # far apart on a narrower axis
    found = drawn(lambda: ru_map([far, near, here], "risk", "loss", "map"))
    moved = [node for node in found.nodes if "margin-top" in node.style]
    assert [node._text for node in moved] == ["2"]
