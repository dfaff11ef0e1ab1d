"""Figures 5 and 8 to 14 are drawn from the cells of their experiments."""

from __future__ import annotations

import pytest

from microveil.studies.cells import Cell, Experiment
from microveil.studies.zaragoza.figures import ADULT, figures

pytest.importorskip("altair")


def experiment(source: str) -> Experiment:
    cells = [
        Cell({"data": "linear-5-1", "k": k, "algorithm": name}, "combinations", float(k))
        for k in (2, 8)
        for name in ("Datafly", "Mondrian strict", "Mondrian relaxed", "optimal")
    ]
    return Experiment.of("All runs", source, cells)


def test_each_algorithm_has_its_figure_and_its_own_cells() -> None:
    sources = ("Figures 8 to 10", "Figures 11 to 13", *ADULT, "Table 6")
    drawn = figures(tuple(experiment(source) for source in sources))
    numbers = [f"figure_{number}" for number in (5, *range(8, 15))]
    assert list(drawn) == [*numbers, "figure_14_descriptive"]
    told = drawn["figure_9"]().to_dict()["datasets"].popitem()[1]
    assert {row["algorithm"] for row in told} == {"Mondrian strict"}
    assert [row["value"] for row in told] == [2.0, 8.0]
    of_adult = drawn["figure_14"]().to_dict()["datasets"].popitem()[1]
    assert len(of_adult) == 8
    values = drawn["figure_5"]().to_dict()["datasets"].popitem()[1]
    assert {row["value"] for row in values if row["record"] == 10_000} == {10_000, 10_000**2}
