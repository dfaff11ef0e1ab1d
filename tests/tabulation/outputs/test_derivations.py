from __future__ import annotations

from microveil.tabulation.outputs.derivations import derive_cells
from microveil.tabulation.outputs.reading import Grid, OutputTable, table_of


def _table(name: str, grid: Grid) -> OutputTable:
    found = table_of(name, grid)
    assert found is not None
    return found


def test_a_suppressed_cell_follows_from_two_tables() -> None:
    one = _table("one", [["town", "f", "m"], ["a", "40", "c"], ["b", "30", "20"]])
    other = _table("other", [["town", "value"], ["a", "44"], ["b", "50"]])
    found = {item.cell: item for item in derive_cells([one, other])}
    assert found["a × not f"].value == 4
    assert found["a × not f"].how == "linking"


def test_within_a_table_a_sum_gives_it_back() -> None:
    table = _table(
        "t", [["town", "f", "m", "Total"], ["a", "40", "c", "43"], ["b", "30", "c", "50"]]
    )
    found = {item.cell: item.value for item in derive_cells([table])}
    assert found["a × m"] == 3
