from __future__ import annotations

from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import microveil as mv
from microveil.utility.cell_changes import CellChanges

cell = st.sampled_from([None, "a", "b"])


@settings(max_examples=40)
@given(st.lists(st.tuples(cell, cell), min_size=1, max_size=20))
def test_cells_are_compared_one_by_one(pairs: list[tuple[str | None, str | None]]) -> None:
    before, after = (pl.Series(side, dtype=pl.String) for side in zip(*pairs, strict=True))
    score = CellChanges().measure({"x": before}, {"x": after})
    blank = sum(x is not None and y is None for x, y in pairs)
    other = sum(x != y for x, y in pairs) - blank
    assert score.parts["suppressed_share"] == pytest.approx(blank / len(pairs))
    assert score.parts["changed_share"] == pytest.approx(other / len(pairs))
    assert score.value == pytest.approx((blank + other) / len(pairs))


@pytest.mark.parametrize(
    ("before", "after"),
    [([30, 40], ["30", "40"]), ([30, 40], [30.0, 40.0]), ([[1], [2]], [[1], [2]])],
    ids=["text", "real", "lists"],
)
def test_the_same_value_in_another_type_did_not_change(before: list[Any], after: list[Any]) -> None:
    assert CellChanges().measure({"x": before}, {"x": after}).value == 0


def test_removed_rows_and_columns_are_lost_whole() -> None:
    frame = pl.DataFrame({"sex": ["f", "f", "m"], "pay": [1, 2, 9], "name": ["i", "j", "k"]})
    recipe = mv.Recipe(
        roles=mv.Roles(quasi_identifiers=["sex"]),
        steps=[mv.SuppressRecords(k=2), mv.Drop(columns=["name"])],
    )
    score = mv.run(recipe, frame).utility["cell_changes"]
    assert score.value == score.parts["removed_share"] == pytest.approx(5 / 9)
    assert (score.parts["n_rows_removed"], score.parts["n_columns_removed"]) == (1, 1)
    assert score.parts["kept"]["sex"] == pytest.approx(2 / 3)


def test_an_empty_table_lost_nothing() -> None:
    empty = pl.DataFrame(schema={"x": pl.String})
    assert CellChanges().measure(empty, empty).value == 0
