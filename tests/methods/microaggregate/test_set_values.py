from __future__ import annotations

import polars as pl
import pytest

import microveil as mv


def test_lists_become_what_half_of_the_group_has() -> None:
    baskets = pl.Series([["b", "a"], ["a"], ["a", "c"], ["x"], ["x", "y"], None, ["x"]])
    after = mv.Microaggregate(k=3, distance="jaccard").protect(baskets).to_list()
    assert after == [["a"], ["a"], ["a"], ["x"], ["x"], None, ["x"]]


def test_weights_count_in_the_majority_and_the_medoid() -> None:
    frame = pl.DataFrame({"s": [["a"], ["b"], ["b"]], "w": [5.0, 1.0, 1.0]})
    roles = mv.Roles(weight="w")
    step = mv.Microaggregate(columns="s", k=3, distance="jaccard")
    assert step.protect(frame, roles)["s"].to_list() == [["a"]] * 3
    words = pl.DataFrame({"s": ["aa", "bb", "bb"], "w": [5.0, 1.0, 1.0]})
    named = mv.Microaggregate(columns="s", k=3, distance="edit")
    assert named.protect(words, roles)["s"].to_list() == ["aa"] * 3


def test_vectors_become_their_mean() -> None:
    vectors = pl.Series([[1.0, 0.0], [0.0, 1.0], [3.0, 0.2], [0.0, 5.0]])
    after = mv.Microaggregate(k=2, distance="cosine").protect(vectors).to_list()
    assert after[0] == after[2] == pytest.approx([2.0, 0.1])
    assert after[1] == after[3] == pytest.approx([0.0, 3.0])
