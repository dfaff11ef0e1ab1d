from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from microveil.pairs.known_columns import numbers_of_pair, pair_tables
from microveil.risk.linkage.number_links import worst_links
from microveil.tables import Roles, Table


def test_a_permuted_column_is_left_out_and_gaps_only_hide_their_column() -> None:
    rng = np.random.default_rng(1)
    frame = pl.DataFrame({"x": rng.normal(size=60), "y": rng.normal(size=60)})
    mixed = frame.with_columns(y=pl.Series(rng.permutation(frame["y"].to_numpy())))
    pair = pair_tables(Table(frame), Table(mixed), ())
    numbers = numbers_of_pair(pair, ())
    best = worst_links(pair, numbers, lambda before, after: (before, after))
    assert (best.columns, best.value) == (("x",), 1.0)
    plain = worst_links(pair, numbers, lambda before, after: (before, after), worst=False)
    assert plain.value < 0.9


def test_people_are_found_by_any_of_their_rows() -> None:
    frame = pl.DataFrame({"who": [1, 1, 2, 2], "x": [1.0, 1.0, 5.0, 9.0]})
    released = frame.with_columns(x=pl.Series([1.0, 1.0, 9.0, 9.0]))
    roles = Roles(entity="who")
    pair = pair_tables(Table(frame, roles), Table(released, roles), ())
    best = worst_links(pair, numbers_of_pair(pair, ()), lambda before, after: (before, after))
    # Person 2 is found by 9, whatever became of 5.
    assert best.value == pytest.approx(1.0)
    assert len(best.found) == 3
