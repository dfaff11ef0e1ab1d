from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.errors import HierarchyError
from microveil.tables.values import Distinct, as_text, plain, positions_among, rows_of

KINDS = {
    pl.Int64: st.integers(-5, 5),
    pl.String: st.sampled_from("abc"),
    pl.Float64: st.sampled_from([0.5, -1.0, 7.0]),
}
columns = st.sampled_from(list(KINDS)).flatmap(
    lambda kind: st.lists(st.none() | KINDS[kind]).map(lambda cells: pl.Series("x", cells, kind))
)
MIDNIGHT = dt.datetime(2020, 1, 2)  # noqa: DTZ001  files hold times without zones too


@given(columns)
def test_a_column_is_its_distinct_values_and_the_place_of_each_record(column: pl.Series) -> None:
    found = Distinct.of(column)
    assert found.n_missing == column.null_count()
    assert sorted(found.values.to_list()) == sorted(set(column.drop_nulls()))
    assert found.spread(found.values).to_list() == column.to_list()
    chosen = np.ones(len(found.values), dtype=np.bool_)
    assert found.records_of(chosen) == len(column) - column.null_count()


@pytest.mark.parametrize(
    ("cells", "texts"),
    [
        ([34.0, 0.5, 1.25], ["34", "0.5", "1.25"]),
        ([Decimal("1.50"), Decimal("2.00")], ["1.5", "2"]),
        ([dt.date(2020, 1, 2)], ["2020-01-02"]),
        ([MIDNIGHT, MIDNIGHT.replace(hour=3)], ["2020-01-02", "2020-01-02 03:00:00"]),
        ([b"a"], ["a"]),
        ([b"\xff"], ["ff"]),
        ([True, None], ["true", None]),
    ],
)
def test_values_are_spelt_as_in_hierarchy_files(cells: list[Any], texts: list[str]) -> None:
    assert as_text(pl.Series("x", cells)).to_list() == texts


@pytest.mark.parametrize(
    ("values", "leaves", "rows"),
    [
        ([34, 35], ["33", " 34 "], [1, -1]),
        ([34, 35], ["34.0", "x"], [0, -1]),
        ([34.0, 0.5], ["0.50", "34"], [1, 0]),
        ([dt.date(2020, 1, 2)], ["2020-01-02T00:00:00"], [0]),
        ([True, False], ["FALSE", "True"], [1, 0]),
        (["34"], [34], [0]),
        ([None, "a"], ["a"], [-1, 0]),
    ],
)
def test_values_are_found_by_meaning_not_by_spelling(
    values: list[Any], leaves: list[Any], rows: list[int]
) -> None:
    assert rows_of(pl.Series("x", values), pl.Series(leaves)).tolist() == rows


def test_two_lines_that_mean_the_same_are_refused() -> None:
    with pytest.raises(HierarchyError, match="1 values of the hierarchy for column 'x'"):
        rows_of(pl.Series("x", [1, 2]), pl.Series(["1", "1.0", "2"]))


def test_categories_and_bytes_stand_for_text() -> None:
    assert plain(pl.Series(["a"], dtype=pl.Enum(["a", "b"]))).dtype == pl.String
    assert plain(pl.Series([1, 2])).dtype == pl.Int64


@pytest.mark.parametrize("sort", [True, False])
def test_nan_is_found_among_sorted_values(sort: bool) -> None:  # noqa: FBT001  a case
    among = pl.Series([1.0, 2.0, float("nan")])
    among = among.sort() if sort else among
    assert positions_among(among, among).tolist() == [0, 1, 2]
    assert rows_of(among, among).tolist() == [0, 1, 2]
