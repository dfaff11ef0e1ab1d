"""Cuts made from counts are those that the kernel makes from records."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import microveil as mv
from microveil.kernels.mondrian.cuts import WIDEST, CutRule, choose_cut, new_work
from microveil.methods.mondrian.keys import key_of, key_space
from microveil.spark.methods import mondrian
from microveil.spark.methods.mondrian import BlockTree, best_cut, suits
from tests.planning.test_parts_equal_whole import HIERARCHIES, people, recipe_of
from tests.spark.cases import back, to_spark

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


@given(ROWS)
def test_keys_from_counts_are_those_from_records(rows: list[Any]) -> None:
    towns = pl.Series("town", [row[1] for row in rows], dtype=pl.String)
    hierarchy = mv.Mondrian.parse({"k": 2, "hierarchies": {"town": TREE}}).hierarchies["town"]
    counted = towns.to_frame().group_by("town").len().sort("town")
    for one in (None, hierarchy):
        key, codes = key_of(towns, one, "error", by_tree=True)
        other, of_values = key_of(
            counted["town"], one, "error", by_tree=True, counts=counted["len"].to_numpy()
        )
        place = dict(zip(counted["town"].to_list(), of_values.tolist(), strict=True))
        assert key.n_values == other.n_values
        assert codes.tolist() == [place[town] for town in towns]


def test_records_follow_the_tree_to_their_block() -> None:
    tree = BlockTree(
        *np.array([[0, 1, 1, 2], [-1, 0, 0, 0], [1, 0, 3, 4], [-1, 0, 0, 0], [-1, 0, 0, 0]]).T
    )
    codes = np.array([[0, 1, 2, 3], [5, 5, 0, 1]], dtype=np.int32)
    assert tree.blocks_of(codes).tolist() == [1, 1, 3, 4]


@pytest.mark.parametrize(
    "more",
    [
        {"mode": "relaxed"},
        {"split": "ncp"},
        {"publish": "centroids"},
        {"models": [{"model": "l_diversity", "l": 2, "column": "ill"}]},
        {"hierarchies": {"town": {"hierarchy": "frequency"}}},
    ],
)
def test_what_counts_do_not_decide_stays_on_the_driver(more: dict[str, Any]) -> None:
    assert suits(mv.Mondrian(k=3))
    assert not suits(mv.Mondrian.parse({"k": 3, **more}))


MONDRIANS: dict[str, dict[str, Any]] = {
    "plain": {"method": "mondrian", "k": 5},
    "ranges": {"method": "mondrian", "k": 3, "publish": "ranges", "hierarchies": HIERARCHIES},
    "trees": {"method": "mondrian", "k": 4, "hierarchies": HIERARCHIES},
    "reals": {"method": "mondrian", "k": 5, "columns": ["pay", "born", "town"]},
}

QUICK = {("trees", 0), ("reals", 10_000)}


@pytest.mark.filterwarnings("ignore")  # PySpark's own
@pytest.mark.parametrize(
    ("case", "few"),
    [
        pytest.param(name, few, marks=[] if (name, few) in QUICK else [pytest.mark.slow])
        for name in MONDRIANS
        for few in (0, 10_000)
    ],
)
def test_classes_cut_on_spark_are_the_partitions_of_one_machine(
    case: str, few: int, spark: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mondrian, "FEW_CLASSES", few)
    monkeypatch.setattr(mondrian, "BLOCK", 60)
    monkeypatch.setattr(mondrian, "CLASSES", 40)
    monkeypatch.setattr(mondrian, "MOST_ON_DRIVER", 10 if case == "ranges" else 10_000)
    recipe = recipe_of([MONDRIANS[case]])
    # A column named like those that rows are looked up by, with cells that mean missing.
    table = people().with_columns(pl.lit("").alias("microveil_0"))
    release: Any = mv.run(recipe, to_spark(spark, table), seed=3)
    found = back(release.data).sort("name")
    whole = mv.run(recipe, table, seed=3).data.sort("name")
    assert found["microveil_0"].null_count() == found.height == table.height
    keys = MONDRIANS[case].get("columns", ["age", "sex", "town"])
    assert_frame_equal(found.drop(keys), whole.drop(keys))
    assert_frame_equal(found.select(keys), whole.select(pl.col(keys).cast(pl.String)))
    n_blocks = release.facts[0].facts["n_blocks"]
    assert n_blocks == 1 if few else n_blocks > 4
