"""The map of generators and other methods."""

from __future__ import annotations

import pytest

from microveil.studies.cells import Cell, Experiment
from microveil.studies.synthesis.figures import map_points, synthesis_map

pytest.importorskip("altair")


def experiment() -> Experiment:
    cells = []
    for i, (method, parameter) in enumerate(
        [("cart", ""), ("mst", "ε = 1"), ("pram", "keeps 80%")]
    ):
        where = {"method": method, "parameter": parameter}
        cells += [
            Cell(where, "risk", 0.3 - 0.1 * i),
            Cell(where, "loss", 0.1 * i),
            Cell(where, "on the front", float(i != 2)),
        ]
    return Experiment.of("Adult: all", "New here", cells)


def test_each_release_is_a_point_of_its_family() -> None:
    points = map_points(experiment())
    assert [one["family"] for one in points] == ["synthetic", "synthetic, private", "other"]
    assert [one["name"] for one in points] == ["cart", "mst ε = 1", "pram keeps 80%"]
    assert [one["front"] for one in points] == [1.0, 1.0, 0.0]


def test_only_the_front_is_joined_and_named() -> None:
    drawn = synthesis_map(experiment()).to_dict()
    assert sorted(len(rows) for rows in drawn["datasets"].values()) == [2, 3]
    assert "Adult: synthetic records" in str(drawn["title"])
