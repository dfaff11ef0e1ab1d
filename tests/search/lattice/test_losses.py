from __future__ import annotations

from typing import Any

import polars as pl

from microveil.search.lattice.lattice_search import search_lattice
from tests.search.exhaustive import HIERARCHIES, ROLES, frame_of, table


def test_weights_of_keys_move_the_optimum() -> None:
    frame = frame_of([(str(i % 2 + 1), str(i % 2 + 1), "1", 0) for i in range(4)] * 1)
    frame = pl.concat([frame, frame_of([("1", "2", "1", 0), ("2", "1", "1", 0)])])
    how: dict[str, Any] = {"k": 3, "hierarchies": HIERARCHIES, "aggregate": "arithmetic_mean"}
    spare_a = search_lattice(frame, ROLES, weights={"a": 10, "b": 1}, **how).optimum
    spare_b = search_lattice(frame, ROLES, weights={"a": 1, "b": 10}, **how).optimum
    assert spare_a is not None
    assert spare_b is not None
    assert spare_a.levels["a"] == 0
    assert spare_b.levels["b"] == 0


def test_rank_compares_the_worst_key_first() -> None:
    how: dict[str, Any] = {"k": 16, "hierarchies": HIERARCHIES, "loss": "precision"}
    ranked = search_lattice(table(), ROLES, aggregate="rank", **how).optimum
    largest = search_lattice(table(), ROLES, aggregate="max", **how).optimum
    assert ranked is not None
    assert largest is not None
    assert ranked.loss == largest.loss
