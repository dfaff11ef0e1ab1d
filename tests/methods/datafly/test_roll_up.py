from __future__ import annotations

from collections import Counter

import numpy as np
import polars as pl

from microveil.hierarchies import Tree
from microveil.methods.datafly.roll_up import RollUp, staircase
from microveil.tables import Table

TOWNS = {"FR": ["Lyon", "Paris"], "IT": ["Rome", "Bari"]}
FRAME = pl.DataFrame(
    {
        "town": ["Lyon", "Paris", "Rome", "Rome", None, "Lyon"],
        "sex": ["f", "f", "m", "f", "m", "f"],
    }
)
LAND = {"Lyon": "FR", "Paris": "FR", "Rome": "IT", "Bari": "IT", None: None}


def roll_up(counts: list[int] | None = None) -> RollUp:
    table = Table(FRAME)
    stairs = [
        staircase(table.frame["town"], Tree(tree=TOWNS), "error"),
        staircase(table.frame["sex"], Tree(tree=["f", "m"]), "error"),
    ]
    return RollUp.of(stairs, None if counts is None else np.array(counts))


def classes(found: RollUp) -> dict[int, list[int]]:
    members: dict[int, list[int]] = {}
    for record, number in enumerate(found.of_record().tolist()):
        members.setdefault(number, []).append(record)
    return members


def test_classes_are_the_records_with_equal_labels_at_every_level() -> None:
    found = roll_up()
    rows = FRAME.rows()
    assert sorted(classes(found).values()) == [[0, 5], [1], [2], [3], [4]]
    assert sorted(found.counts.tolist()) == sorted(Counter(rows).values())
    coarser = found.generalize(0)
    expected: dict[object, list[int]] = {}
    for record, (town, sex) in enumerate(rows):
        expected.setdefault((LAND[town], sex), []).append(record)
    assert sorted(classes(coarser).values()) == sorted(expected.values())
    assert coarser.levels.tolist() == [1, 0]
    assert found.levels.tolist() == [0, 0]


def test_labels_that_occur_are_counted_missing_being_one() -> None:
    assert roll_up().n_distinct().tolist() == [4, 2]
    assert roll_up().generalize(0).n_distinct().tolist() == [3, 2]
    assert roll_up().heights.tolist() == [2, 1]


def test_a_row_may_stand_for_several_records() -> None:
    found = roll_up([10, 1, 1, 1, 1, 5])
    size = {tuple(members): int(found.counts[number]) for number, members in classes(found).items()}
    assert size[(0, 5)] == 15
    assert sum(size.values()) == 19
