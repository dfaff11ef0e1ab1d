from __future__ import annotations

import polars as pl

from microveil.methods.parts.facts import change_facts, n_changed


def test_a_cell_missing_before_and_after_has_not_changed() -> None:
    assert n_changed(pl.Series([None, 1, 2]), pl.Series([None, None, 3])) == 2


def test_the_same_number_in_another_type_has_not_changed() -> None:
    assert n_changed(pl.Series([1, 2]), pl.Series([1.0, 2.5])) == 1


def test_facts_count_each_column() -> None:
    before = pl.DataFrame({"a": [1, None], "b": ["x", "y"]})
    after = pl.DataFrame({"a": [1, None], "b": ["x", "*"]})
    assert change_facts(before, after, ["a", "b"]) == {
        "n_changed": {"a": 0, "b": 1},
        "n_missing": {"a": 1, "b": 0},
    }
