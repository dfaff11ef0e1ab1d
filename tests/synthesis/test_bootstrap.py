from __future__ import annotations

import numpy as np
import polars as pl

from microveil.synthesis.bootstrap import Bootstrap
from microveil.tables import Roles, Table

FRAME = pl.DataFrame({"a": [1, 2, 3], "b": ["x", "y", None]})


def test_every_record_drawn_is_one_of_the_table() -> None:
    model = Bootstrap().fit(Table(FRAME), np.random.default_rng(0))
    drawn = model.sample(300, np.random.default_rng(1))
    assert drawn.schema == FRAME.schema
    assert set(drawn.rows()) == set(FRAME.rows())


def test_records_are_drawn_by_their_weight() -> None:
    frame = FRAME.with_columns(w=pl.Series([3.0, 1.0, 0.0]))
    model = Bootstrap().fit(Table(frame, Roles(weight="w")), np.random.default_rng(0))
    drawn = model.sample(4000, np.random.default_rng(1))
    counts = dict(drawn["a"].value_counts().iter_rows())
    assert "w" not in drawn.columns
    assert set(counts) == {1, 2}
    assert abs(counts[1] - 3000) < 4 * (4000 * 0.75 * 0.25) ** 0.5


def test_given_columns_are_left_to_the_caller() -> None:
    model = Bootstrap().fit(Table(FRAME), np.random.default_rng(0), given=["a"])
    assert model.sample(5, np.random.default_rng(1)).columns == ["b"]
