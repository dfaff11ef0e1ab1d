"""Cuts made from counts are those that the kernel makes from records."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

import microveil as mv
from microveil.kernels.mondrian.cuts import WIDEST, CutRule, choose_cut, new_work
from microveil.methods.mondrian.keys import key_of, key_space
from microveil.spark.methods.first_cuts import BlockTree, best_cut

TREE = {"tree": {"north": ["a", "b"], "south": ["c", "d", "e"]}}
ROWS = st.lists(
    st.tuples(
        st.one_of(st.none(), st.integers(0, 9)),
        st.one_of(st.none(), st.sampled_from("abcde")),
        st.one_of(st.none(), st.sampled_from("xyz")),
        st.floats(0, 1).map(lambda x: round(x, 1)),
    ),
    min_size=1,
    max_size=60,
)


@given(ROWS, st.integers(1, 6))
def test_the_best_cut_is_that_of_the_kernel(rows: list[Any], k: int) -> None:
    schema = {"age": pl.Int64, "town": pl.String, "kind": pl.String, "share": pl.Float64}
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    hierarchies = mv.Mondrian.parse({"k": 2, "hierarchies": {"town": TREE}}).hierarchies
    coded = [
        key_of(frame[name], hierarchies.get(name), "error", by_tree=True) for name in frame.columns
    ]
    keys = [key for key, _ in coded]
    space, codes = key_space(keys), np.stack([one for _, one in coded])
    rule = CutRule(k, relaxed=False, split=WIDEST)
    cut = choose_cut(codes, space, rule, new_work(space, rule, frame.height), 0)
    counts = [
        np.bincount(one + 1, minlength=key.n_values + 1)
        for key, one in zip(keys, codes, strict=True)
    ]
    expected = None if cut.column < 0 else (cut.column, cut.edge)
    assert best_cut(counts, space, k) == expected


def test_records_follow_the_tree_to_their_block() -> None:
    tree = BlockTree(
        *np.array([[0, 1, 1, 2], [-1, 0, 0, 0], [1, 0, 3, 4], [-1, 0, 0, 0], [-1, 0, 0, 0]]).T
    )
    codes = np.array([[0, 1, 2, 3], [5, 5, 0, 1]], dtype=np.int32)
    assert tree.blocks_of(codes).tolist() == [1, 1, 3, 4]
