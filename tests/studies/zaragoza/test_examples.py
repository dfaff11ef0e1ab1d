"""The worked figures of the thesis."""

from __future__ import annotations

from microveil.studies.zaragoza.examples import worked_examples


def test_figures_1_3_and_4_come_out() -> None:
    found = worked_examples()
    assert [cell.mark for cell in found.cells] == ["equal"] * 6
    assert [cell.ours for cell in found.cells] == [2, 2, 2, 2, 2, 3]
