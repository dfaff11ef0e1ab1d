"""The map has a point for each release, and a line through the front."""

from __future__ import annotations

import pytest

from microveil.studies.frontier.figures import frontier_map
from microveil.studies.frontier.scoring import Standing
from microveil.studies.frontier.study import Point, _experiment

pytest.importorskip("altair")


def test_the_front_is_joined_in_the_order_of_loss() -> None:
    places = [(0.1, 0.9), (0.9, 0.1), (0.5, 0.5), (0.8, 0.8)]
    points = [
        Point("m", f"k = {i}", Standing(risk, "links", loss))
        for i, (risk, loss) in enumerate(places)
    ]
    drawn = frontier_map(_experiment("Census", "", points)).to_dict()
    sets = sorted(drawn["datasets"].values(), key=len)
    assert [len(rows) for rows in sets] == [3, 4]
    assert [row["loss"] for row in sets[0]] == [0.1, 0.5, 0.9]
    assert "Census" in str(drawn["title"])
