"""Protection as the course works it out."""

from __future__ import annotations

import pytest

from microveil.studies.uoc import masking, tables


def test_rows_are_grouped_as_printed() -> None:
    assert [cell.ours for cell in masking.generalization().cells] == [9, 9, 9, 9]
    other = tables.GENERALIZED.with_columns(zip=tables.TO_GENERALIZE["zip"])
    assert masking._alike(other, "zip") < 9


def test_microaggregation_and_other_distances_come_out() -> None:
    assert {cell.mark for cell in masking.microaggregation().cells} == {"equal"}
    assert [cell.ours for cell in masking.exercise_3().cells] == [1.0, 1.0, 1.0]


def test_swaps_go_three_ranks_at_most() -> None:
    cells = masking.swapping().cells
    farthest = {cell.where["table"]: cell.ours for cell in cells if "farthest" in cell.quantity}
    assert farthest["printed"] <= 3
    assert 0 < farthest["ours"] <= 3
    kept = [cell.ours for cell in cells if "kept" in cell.quantity]
    assert kept == [10, 10]


def test_the_slip_in_the_variance_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(masking, "N_DRAWS", 20)
    found = masking.noise()
    last, slip = found.cells[-2:]
    assert (last.quantity, last.mark) == ("variance of age", "equal")
    assert slip.mark == "differs"
    assert "147.105" in slip.why
    assert not found.unexplained_cells()
