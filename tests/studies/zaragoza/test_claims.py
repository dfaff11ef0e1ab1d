"""The thesis' sentences are asked of the runs, and can be wrong."""

from __future__ import annotations

from dataclasses import replace

import pytest

from microveil.studies.cells import Cell, Experiment
from microveil.studies.zaragoza.claims import claims, run_times
from microveil.studies.zaragoza.more_claims import more_claims
from microveil.studies.zaragoza.runs import KS, MEASURES, Run
from microveil.studies.zaragoza.tables import DataSet

COMBINATIONS = {"Mondrian strict": 50.0, "Mondrian relaxed": 50.0, "Datafly": 10.0}
VARIANCES = {"Mondrian strict": 4.0, "Mondrian relaxed": 1.0, "Datafly": 9.0}
SETS = [
    DataSet("independent", "linear", 100, 1),
    DataSet("independent", "quadratic", 100, 1),
    DataSet("dependent", "linear", 10, 2),
]


def run_of(data: DataSet, name: str, k: int) -> Run:
    n = COMBINATIONS[name]
    if name == "Datafly" and data.growth == "quadratic":
        n -= 1
    mean = 2.0 if name != "Datafly" else 5.0
    measures = dict(zip(MEASURES, (n, 2.0, 9.0, mean, VARIANCES[name]), strict=True))
    return Run(data, name, k, measures, 0.1 if name == "Datafly" else 0.3)


N_OWN = 13
RUNS = [run_of(data, name, k) for data in SETS for name in COMBINATIONS for k in (KS[0], KS[-1])]


def adult(more: float = 3.0, strict: float = 2.0) -> Experiment:
    sizes = {"Mondrian relaxed": more, "Mondrian strict": strict, "Datafly": 1.0}
    return Experiment.of(
        "Adult",
        "Figure 14",
        [
            Cell({"k": k, "algorithm": name}, "combinations", n)
            for k in KS
            for name, n in sizes.items()
        ],
    )


def broken(runs: list[Run], people: Experiment | None = None) -> list[int]:
    """Places of the failing sentences among those of this module: the first thirteen."""
    told = claims(runs, people or adult(), adult())
    failing = [place for place, cell in enumerate(told.cells) if not cell.ours]
    assert ("All are borne out" in told.note) is (not failing)
    return [place for place in failing if place < N_OWN]


def test_all_hold_where_the_runs_say_so() -> None:
    assert broken(RUNS) == []
    assert len(claims(RUNS, adult(), adult()).cells) == N_OWN + len(more_claims(RUNS))


def test_datafly_is_near_mondrian_only_from_half_its_combinations_on() -> None:
    assert broken(RUNS, adult(strict=2.1)) == [12]


def changed(name: str, kind: str, growth: str, **measures: float) -> list[Run]:
    return [
        replace(run, measures={**run.measures, **measures})
        if (run.algorithm, run.data.kind, run.data.growth) == (name, kind, growth)
        else run
        for run in RUNS
    ]


@pytest.mark.parametrize(
    ("runs", "place"),
    [
        (changed("Mondrian relaxed", "independent", "linear", combinations=51.0), 1),
        (changed("Datafly", "independent", "quadratic", combinations=10.0), 2),
        (changed("Mondrian relaxed", "dependent", "linear", variance=100.0), 3),
        (changed("Datafly", "dependent", "linear", combinations=60.0), 4),
        (changed("Datafly", "independent", "linear", combinations=500.0), 5),
        (changed("Mondrian strict", "dependent", "linear", mean=1.0), 6),
        ([replace(run, seconds=1.0) for run in RUNS], 7),
    ],
)
def test_a_sentence_fails_where_the_runs_say_otherwise(runs: list[Run], place: int) -> None:
    assert place in broken(runs)


def test_adult_is_asked_at_every_k() -> None:
    assert broken(RUNS, adult(more=2.0)) == [8]


def test_run_times_are_those_of_the_thesis_algorithms() -> None:
    later = Run(SETS[0], "Incognito", 2, RUNS[0].measures, 99.0)
    cells = run_times([*RUNS, later]).cells
    assert "Incognito" not in {cell.where["algorithm"] for cell in cells}
    slow = [cell for cell in cells if cell.where["algorithm"] == "Mondrian strict"]
    assert {cell.ours for cell in slow} == {0.3}
