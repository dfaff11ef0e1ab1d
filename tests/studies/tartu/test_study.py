"""What is printed has its place in the experiments, and errors follow from the replications."""

from __future__ import annotations

import numpy as np
import pytest

from microveil.studies.cells import Cell
from microveil.studies.tartu import study
from microveil.studies.tartu.masking import METHODS


def test_every_printed_number_has_a_cell_to_be_compared_with() -> None:
    printed = study._read_published()
    places: set[study.Key] = set()
    for n in study.SIZES:
        for method in METHODS:
            for rho in study.RHOS:
                places |= {(name, n, rho, "", method) for name in ("bias", "SE")}
                places |= {
                    ("variability explained", n, rho, column, method) for column in ("X1", "X2")
                }
            places |= {("re-identified %", n, "", str(w), method) for w in study.WIDTHS}
    assert len(printed) > 300
    assert set(printed) <= places


def test_a_measure_sees_every_replication_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(study, "BLOCK", 2)
    found = study._masked_by_all(10, 0.5, 2, 5, study._compare)
    assert list(found) == list(METHODS)
    assert {one.shape for one in found.values()} == {(5, 4)}
    again = study._masked_by_all(10, 0.5, 2, 5, study._compare, workers=1)
    assert all(np.array_equal(found[name], again[name]) for name in METHODS)


def test_masking_with_the_data_themselves_changes_nothing() -> None:
    data = np.random.default_rng(0).standard_normal((3, 20, 2))
    changes = study._compare(data, data)
    assert changes[:, 0] == pytest.approx(0)
    assert changes[:, 1:3] == pytest.approx(1)


def test_cells_of_both_experiments_name_their_place() -> None:
    cells: dict[str, list[Cell]] = {"rank": [], "value": []}
    printed = study._read_published()
    study._first_experiment(30, "0.40", 6, printed, cells)
    assert {cell.quantity for cell in cells["rank"]} == {
        "bias",
        "SE",
        "bias of ranks",
        "SE of ranks",
    }
    assert len(cells["value"]) == 2 * len(METHODS)
    assert all(cell.error > 0 for cell in cells["value"])
    assert any(cell.published for cell in cells["rank"])
    found = study._second_experiment(30, 2, 2, printed)
    assert [cell.where["method"] for cell in found] == list(METHODS)
    assert all(0 <= cell.ours <= 100 for cell in found)
