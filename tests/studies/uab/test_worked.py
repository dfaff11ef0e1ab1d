"""Figures 1 to 3 of the thesis."""

from __future__ import annotations

from microveil.studies.uab.worked import worked_figures


def test_the_worked_figures_come_out() -> None:
    cells = worked_figures().cells
    assert [cell.mark for cell in cells if cell.published is not None] == ["equal"] * 4
    found = {cell.quantity: cell for cell in cells if cell.published is None}
    assert found["farthest move, ranks"].ours == 3
    assert found["draws that stay in their range, per cent"].ours == 100
    for chance in (1 / 6, 1 / 24):
        cell = found[f"share of draws as in the figure, expected {chance:.4f}, not printed"]
        assert abs(cell.ours - chance) < 4 * cell.error
