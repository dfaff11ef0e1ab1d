"""Tables 6 and 7 are laid beside the runs that they are about."""

from __future__ import annotations

import pytest

from microveil.studies.zaragoza import study
from microveil.studies.zaragoza.runs import MEASURES, Run
from microveil.studies.zaragoza.tables import DataSet

LARGE = DataSet("independent", "linear", 100_000, 2)


def run_of(data: DataSet, name: str, k: int, n: float) -> Run:
    return Run(data, name, k, dict(zip(MEASURES, (n, 2.0, 9.0, 5.0, 1.0), strict=True)))


RUNS = [
    run_of(LARGE, name, k, float(text))
    for k, printed in study.PUBLISHED.items()
    for name, text in zip(("Datafly", "Mondrian strict"), printed, strict=True)
]


def test_only_large_linear_runs_stand_in_table_6() -> None:
    others = [
        run_of(DataSet("independent", "quadratic", 10_000, 2), "Datafly", 2, 7.0),
        run_of(DataSet("independent", "linear", 1_000, 2), "Datafly", 2, 7.0),
        run_of(DataSet("dependent", "linear", 300, 2), "Datafly", 2, 7.0),
    ]
    cells = study._table_6([*RUNS, *others]).cells
    assert [cell.mark for cell in cells] == ["equal"] * 8
    new = study._table_6([run_of(LARGE, "optimal", 2, 7.0)]).cells
    assert [cell.mark for cell in new] == ["new"]


def test_the_optimum_is_a_k_th_of_the_records() -> None:
    assert {cell.mark for cell in study._table_7().cells} == {"equal"}
    assert len(study._table_7().cells) == 12
    found = {cell.where["ratio"]: cell for cell in study._approximation(RUNS).cells}
    assert found["Datafly, least"].mark == found["Datafly, most"].mark == "equal"
    # 34464 of 50000 combinations at k = 2 lift the mean above what the text says.
    assert found["Mondrian, mean"].ours == pytest.approx((3 * 65.536 + 68.928) / 4)
    assert not study._approximation(RUNS).unexplained_cells()


def test_all_runs_of_a_kind_are_told_with_every_measure() -> None:
    other = run_of(DataSet("dependent", "linear", 3, 10), "Datafly", 2, 7.0)
    cells = study._all_runs([*RUNS, other], "dependent").cells
    assert [cell.quantity for cell in cells] == list(MEASURES)
    assert {cell.where["data"] for cell in cells} == {"linear-3-10"}
