from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import microveil as mv
from tests.tabulation.instances import people


def test_unsafe_cells_and_their_partners_are_missing_and_the_rest_is_published() -> None:
    counts = {("a", "f"): 5, ("a", "m"): 1, ("b", "f"): 7, ("b", "m"): 9, ("c", "f"): 4}
    made = mv.tabulate(people(counts, ["town", "sex"]), mv.Tabulation(by=["town", "sex"]))
    (table,) = made.frames.values()
    unsafe = table.filter(status="unsafe")
    assert unsafe.select("town", "sex").rows() == [("a", "m")]
    assert unsafe["value"].to_list() == [None]
    assert table.filter(town="Total", sex="Total")["value"].to_list() == [26]
    assert made.facts[0]["n_secondary"] == 3
    assert "No unsafe cell" in repr(made)


def test_tables_are_safe_together_not_only_one_by_one() -> None:
    rng = np.random.default_rng(1)
    frame = pl.DataFrame(
        {
            "a": rng.choice(["1", "2", "3"], 60),
            "b": rng.choice(["x", "y", "z"], 60),
            "c": rng.choice(["p", "q"], 60),
        }
    )
    both = [mv.Tabulation(by=["a", "b"]), mv.Tabulation(by=["a", "c"])]
    made = mv.tabulate(frame, both, rules=[mv.Threshold(n=6)])
    (family,) = made.families
    assert len(family.cells.tables) == 2
    first, second = made.frames.values()
    shared = first.filter(b="Total").join(second.filter(c="Total"), on="a")
    assert shared["value"].equals(shared["value_right"], null_equal=True)
    assert shared.height == 4


def test_people_are_counted_not_their_rows() -> None:
    frame = {"town": ["a"] * 6 + ["b"] * 6, "person": [1] * 6 + [1, 2, 3, 4, 5, 6]}
    table = mv.Tabulation(by=["town"])
    assert mv.tabulate(frame, table).facts[0]["n_unsafe"] == 0
    roles = mv.Roles(entity="person")
    assert mv.tabulate(frame, table, roles=roles).facts[0]["n_unsafe"] == 1
    named = mv.Tabulation(by=["town"], contributor="person")
    assert mv.tabulate(frame, named).facts[0]["n_unsafe"] == 1


def test_branches_of_a_hierarchy_have_rows_of_their_own() -> None:
    counts = {("Lyon",): 4, ("Paris",): 5, ("Rome",): 6}
    tree = {"hierarchy": "tree", "tree": {"FR": ["Lyon", "Paris"], "IT": ["Rome"]}}
    table = mv.Tabulation(by=["city"], hierarchies={"city": tree})
    (frame,) = mv.tabulate(people(counts, ["city"]), table).frames.values()
    assert dict(frame.select("city", "value").iter_rows()) == {
        "Total": 15, "FR": 9, "Lyon": 4, "Paris": 5, "IT": 6, "Rome": 6,
    }  # fmt: skip


def test_a_table_of_cells_is_protected_as_its_records_would_be() -> None:
    # The twelve cells of rtauargus' introduction: both unsafe cells, and two with them.
    cells = pl.DataFrame(
        {
            "activity": [code for code in ("01", "02", "06", "Total") for _ in range(3)],
            "size": ["tr1", "tr2", "Total"] * 4,
            "n": [10, 5, 15, 2, 5, 7, 8, 6, 14, 20, 16, 36],
            "value": [100, 50, 150, 30, 20, 50, 60, 40, 100, 190, 110, 300],
            "largest": [20, 15, 20, 20, 10, 20, 16, 38, 38, 20, 38, 38],
        }
    )
    table = mv.Tabulation(
        by=["activity", "size"],
        value="value",
        cells=mv.CellColumns(count="n", total="value", largest=["largest"]),
    )
    rules = [mv.Threshold(n=3, level=10), mv.Dominance(n=1, k=85)]
    (frame,) = mv.tabulate(cells, table, rules=rules).frames.values()
    found = {row[:2]: row[3] for row in frame.iter_rows() if row[3] != "safe"}
    assert found == {
        ("02", "tr1"): "unsafe",
        ("02", "tr2"): "secondary",
        ("06", "tr1"): "secondary",
        ("06", "tr2"): "unsafe",
    }


@pytest.mark.parametrize(
    ("frame", "table", "sentence"),
    [
        ({"a": [1, 2]}, {"by": ["b"]}, "b"),
        ({"a": ["x"], "v": ["y"]}, {"by": ["a"], "value": "v"}, "not numeric"),
        ({"a": ["x"], "v": [float("inf")]}, {"by": ["a"], "value": "v"}, "infinite"),
        (
            {"a": ["x", "y"], "w": [1.0, -1.0]},
            {"by": ["a"], "weight": "w"},
            "negative weight in",
        ),
        ({"a": ["x", "y"], "p": [1, None]}, {"by": ["a"], "contributor": "p"}, "contributor"),
        ({"a": []}, {"by": ["a"]}, "no rows"),
        (
            {"a": ["x", "y", "Total"], "n": [3, 4, 8]},
            {"by": ["a"], "cells": {"count": "n"}},
            "does not add up, that of Total",
        ),
    ],
)
def test_bad_input_gets_one_sentence(
    frame: object, table: dict[str, object], sentence: str
) -> None:
    with pytest.raises(mv.InputError, match=sentence):
        mv.tabulate(frame, [table])


def test_a_mean_is_the_sum_over_the_records() -> None:
    frame = {"town": ["a"] * 4 + ["b"] * 5, "pay": [10.0, 20.0, 30.0, 40.0] + [7.0] * 5}
    table = mv.Tabulation(by=["town"], value="pay", statistic="mean")
    (shown,) = mv.tabulate(frame, table).frames.values()
    assert dict(shown.select("town", "value").iter_rows()) == {"Total": 15, "a": 25, "b": 7}
    with pytest.raises(mv.InputError, match="the sum and the count"):
        mv.tabulate(frame, table, protect=mv.RoundCells())
