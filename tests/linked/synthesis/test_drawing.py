from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.linked.links import Link
from microveil.linked.synthesis.drawing import Drawing
from microveil.linked.synthesis.settings import LinkedSynthesis
from microveil.linked.synthesis.structure import Structure

LINKS = [Link.parse("rows.up -> tops.id")]


def drawing(days: list[int | None], **settings: object) -> Drawing:
    frames = {
        "tops": pl.DataFrame({"id": range(20), "kind": ["a", "b"] * 10}),
        "rows": pl.DataFrame({"up": [i // 2 for i in range(40)], "day": (days * 40)[:40]}),
    }
    structure = Structure.of(frames, LINKS, "tops", ())
    chosen = LinkedSynthesis.parse(settings)
    columns = {"tops": ["kind"], "rows": ["day"]}
    return Drawing(chosen, structure, frames, columns, np.random.default_rng(1))


def test_rows_of_a_parent_never_go_back() -> None:
    made = drawing([5, 3, 9, 1], order={"rows": "day"})
    for name in ("tops", "rows"):
        made.draw(name)
    rows = made.made["rows"].with_columns(up=pl.Series(made.above["rows"]["tops"]))
    assert rows.height == 40
    assert rows.select((pl.col("day").diff().over("up").fill_null(0) >= 0).all()).item()


def test_a_column_that_orders_has_no_missing_cells() -> None:
    made = drawing([1, None], order={"rows": "day"})
    made.draw("tops")
    with pytest.raises(mv.InputError, match="some cells are missing"):
        made.draw("rows")
