"""Classes that are cut on Spark are those of one machine."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest
from hypothesis import given
from polars.testing import assert_frame_equal

import microveil as mv
from microveil.methods.mondrian.keys import key_of
from microveil.spark.methods import first_cuts, mondrian
from microveil.spark.methods.mondrian import suits
from tests.planning.test_parts_equal_whole import HIERARCHIES, people, recipe_of
from tests.spark.cases import back, to_spark
from tests.spark.methods.test_first_cuts import ROWS, TREE


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
    rows, people = (mv.Table({"a": [1], "b": [1]}, mv.Roles(entity=who)) for who in (None, "b"))
    assert suits(mv.Mondrian(k=3), rows)
    assert not suits(mv.Mondrian(k=3), people)
    assert not suits(mv.Mondrian.parse({"k": 3, **more}), rows)


MONDRIANS: dict[str, dict[str, Any]] = {
    "plain": {"method": "mondrian", "k": 5},
    "ranges": {"method": "mondrian", "k": 3, "publish": "ranges", "hierarchies": HIERARCHIES},
    "trees": {"method": "mondrian", "k": 4, "hierarchies": HIERARCHIES},
    "reals": {"method": "mondrian", "k": 5, "columns": ["pay", "born", "town"]},
}

GENERALIZED = {
    "method": "generalize",
    "column": "town",
    "hierarchy": HIERARCHIES["town"],
    "level": 1,
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
    monkeypatch.setattr(first_cuts, "BLOCK", 60)
    monkeypatch.setattr(mondrian, "CLASSES", 40)
    monkeypatch.setattr(mondrian, "MOST_ON_DRIVER", 10 if case == "ranges" else 10_000)
    before = [GENERALIZED] if case == "reals" else []
    recipe = recipe_of([*before, MONDRIANS[case]])
    # A column named like those that rows are looked up by, with cells that mean missing.
    table = people().with_columns(pl.lit("").alias("microveil_0"))
    release: Any = mv.run(recipe, to_spark(spark, table), seed=3)
    found = back(release.data).sort("name")
    whole = mv.run(recipe, table, seed=3).data.sort("name")
    assert found["microveil_0"].null_count() == found.height == table.height
    keys = MONDRIANS[case].get("columns", ["age", "sex", "town"])
    assert_frame_equal(found.drop(keys), whole.drop(keys))
    assert_frame_equal(found.select(keys), whole.select(pl.col(keys).cast(pl.String)))
    n_blocks = release.facts[-1].facts["n_blocks"]
    assert n_blocks == 1 if few else n_blocks > 4
