"""The map of all methods: what no other release beats is on the front."""

from __future__ import annotations

import polars as pl
import pytest

import microveil as mv
from microveil.errors import InputError
from microveil.studies.frontier.scoring import Standing
from microveil.studies.frontier.study import Frontier, Point, _experiment, pareto, sweep


@pytest.mark.parametrize(
    ("points", "front"),
    [
        ([], []),
        ([(0.5, 0.5)], [True]),
        ([(0.5, 0.5), (0.5, 0.5)], [True, True]),
        ([(0.5, 0.5), (0.5, 0.4)], [False, True]),
        ([(0.1, 0.9), (0.9, 0.1), (0.5, 0.5), (0.6, 0.6)], [True, True, True, False]),
    ],
)
def test_a_point_is_beaten_by_one_that_is_nowhere_worse(
    points: list[tuple[float, float]], front: list[bool]
) -> None:
    assert pareto(points) == front


def test_each_release_is_three_cells() -> None:
    points = [
        Point("a", "k = 3", Standing(0.2, "record linkage", 0.3)),
        Point("b", "", Standing(0.3, "class sizes", 0.4)),
    ]
    cells = _experiment("Census", "", points).cells
    assert [cell.quantity for cell in cells] == ["risk", "loss", "on the front"] * 2
    assert [cell.ours for cell in cells] == [0.2, 0.3, 1.0, 0.3, 0.4, 0.0]
    assert cells[0].where == {"method": "a", "parameter": "k = 3", "attack": "record linkage"}


def test_a_method_that_cannot_be_applied_is_named() -> None:
    table = mv.Table(pl.DataFrame({"x": [1.0, 2.0, 5.0, 9.0]}), mv.Roles(quasi_identifiers=["x"]))
    told: list[float] = []
    jobs = [("noise", "sd × 0.1", mv.AdditiveNoise(columns=["x"], sd_share=0.1))]
    (point,) = sweep(table, jobs, lambda *one: told.append(one[0]), (0.2, 0.4), numbers=True)
    assert (point.family, told) == ("noise", [0.2])
    assert 0 <= point.at.risk <= 1
    bad = [("noise", "of y", mv.AdditiveNoise(columns=["y"], sd_share=0.1))]
    with pytest.raises(InputError, match="noise of y: "):
        sweep(table, bad, lambda *_: None, (0, 1), numbers=True)


def test_captions_fit_the_figures() -> None:
    done = tuple(_experiment(title, "", []) for title in ("Census", "Adult"))
    assert set(Frontier().figures(done, quick=True)) == set(Frontier().about(done).captions)
