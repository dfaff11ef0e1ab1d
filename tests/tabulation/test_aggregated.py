from __future__ import annotations

import polars as pl
import pytest

import microveil as mv

CELLS = mv.CellColumns(count="n")


def test_a_code_beside_its_only_part_is_one_cell() -> None:
    tree = {"hierarchy": "tree", "tree": {"FR": ["Lyon", "Paris"], "IT": ["Rome"]}}
    frame = {"city": ["Lyon", "Paris", "Rome", "FR", "IT", "Total"], "n": [4, 5, 6, 9, 6, 15]}
    table = mv.Tabulation(by=["city"], hierarchies={"city": tree}, cells=CELLS)
    made = mv.tabulate(frame, table)
    assert made.facts[0]["n_cells"] == 5
    assert made.frames[table.title].height == 6


@pytest.mark.parametrize(
    ("frame", "sentence"),
    [
        ({"city": ["a", "a", "b", "Total"], "n": [1, 2, 3, 6]}, "twice"),
        ({"city": ["a", "b"], "n": [1, None]}, "no number in cell b"),
        ({"city": ["a", "b"], "n": ["1", "2"]}, "not numeric"),
    ],
)
def test_cells_that_contradict_themselves_are_refused(
    frame: dict[str, object], sentence: str
) -> None:
    with pytest.raises(mv.InputError, match=sentence):
        mv.tabulate(pl.DataFrame(frame), mv.Tabulation(by=["city"], cells=CELLS))
