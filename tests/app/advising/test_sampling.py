"""Samples are nested, and hold whole people."""

from __future__ import annotations

import polars as pl

from microveil.app.advising.sampling import FEWEST, Samples, scale
from microveil.methods import GroupRare, LocalSuppression, Round
from microveil.privacy import KAnonymity, LDiversity
from microveil.recipes import Recipe
from microveil.tables import Roles, Table

N = FEWEST * 16


def test_each_sample_is_part_of_the_next() -> None:
    table = Table(pl.DataFrame({"x": range(N)}), Roles(quasi_identifiers=["x"]))
    samples = Samples(table, seed=1)
    rows = [set(samples.table_at(rung).frame["x"]) for rung in range(len(samples.shares))]
    assert [len(one) for one in rows] == [N // 16, N // 4, N]
    assert rows[0] < rows[1] < rows[2]


def test_people_stay_whole() -> None:
    frame = pl.DataFrame({"who": [i // 4 for i in range(N)], "x": range(N)})
    samples = Samples(Table(frame, Roles(quasi_identifiers=["x"], entity="who")), seed=1)
    counts = samples.table_at(0).frame["who"].value_counts()["count"]
    assert (counts < 4).sum() <= 1  # the last one may be cut off


def test_a_small_table_has_no_samples() -> None:
    table = Table(pl.DataFrame({"x": range(100)}), Roles(quasi_identifiers=["x"]))
    assert Samples(table, seed=1).shares == (1.0,)


def test_sizes_shrink_with_the_records_and_other_settings_stay() -> None:
    steps = [
        GroupRare(columns=["a"], min_count=40),
        Round(columns=["b"], base=4),
        LocalSuppression(k=3),
    ]
    require = [KAnonymity(k=16), LDiversity(l=4, column="s")]
    small = scale(Recipe(steps=steps, require=require), 1 / 16)
    assert small.to_dict()["steps"] == [
        {"method": "group_rare", "columns": ["a"], "min_count": 3},
        {"method": "round", "columns": ["b"], "base": 4},
        {"method": "local_suppression", "k": 2},
    ]
    assert [one.to_dict() for one in small.require] == [
        {"model": "k_anonymity", "k": 2},
        {"model": "l_diversity", "l": 4, "column": "s"},
    ]
