from __future__ import annotations

from collections import Counter

import polars as pl
import pytest

from microveil.errors import ColumnError, InputError
from microveil.risk.population.uniques.distinct_rows import distinct_rows, searched_columns
from microveil.tables import Roles, Table

FRAME = pl.DataFrame(
    {"a": ["x", "x", "y", None, "x"], "b": [7, 7, 10**12, 7, 7], "who": [1, 1, 2, 3, 4]}
)


def test_each_combination_occurs_once_with_the_number_of_its_records() -> None:
    found = distinct_rows(Table(FRAME), ["a", "b"])
    rows = FRAME.select("a", "b").rows()
    assert sorted(found.counts.tolist()) == sorted(Counter(rows).values())
    for record, row in enumerate(found.of_record.tolist()):
        assert rows[int(found.examples[row])] == rows[record]
    # Most values first, numbered without gaps.
    assert found.columns == ("a", "b")
    assert sorted(set(found.codes[0].tolist())) == [0, 1, 2]
    assert found.owners[found.of_record[0]] == -1


def test_missing_may_be_kept_apart() -> None:
    found = distinct_rows(Table(FRAME), ["a", "b"], missing_apart=True)
    codes = found.codes[found.columns.index("a"), found.of_record]
    assert codes[3] == -1
    assert sorted(set(codes.tolist())) == [-1, 0, 1]


def test_rows_of_different_people_are_apart_where_people_count() -> None:
    table = Table(FRAME, Roles(entity="who"))
    found = distinct_rows(table, ["a", "b"], by_person=True)
    of_record = found.of_record.tolist()
    assert of_record[0] == of_record[1] != of_record[4]
    assert len(found.counts) == 4
    assert found.owners[of_record[0]] != found.owners[of_record[4]]


def test_the_columns_are_those_named_or_the_keys() -> None:
    table = Table(FRAME, Roles(quasi_identifiers=["a"]))
    assert searched_columns(table, ["b", "a", "b"], "m") == ("b", "a")
    assert searched_columns(table, (), "m") == ("a",)
    with pytest.raises(InputError, match="Measure 'm' has no columns"):
        searched_columns(Table(FRAME), (), "m")
    with pytest.raises(ColumnError):
        searched_columns(table, ["c"], "m")
