from __future__ import annotations

import datetime as dt
import json
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from microveil.errors import ColumnError, InputError, RolesError, SpecError
from microveil.methods.local_suppression import LocalSuppression
from microveil.tables import Classes, Missing, Roles, Table
from tests.methods.local_suppression.cases import (
    Rows,
    all_distinct,
    both_ways,
    frame_of,
    n_matches,
    only_blanked,
    smallest,
    suppressed,
    tables,
)


@both_ways
@settings(max_examples=300, deadline=None)
@given(table=tables())
@example(table=([(1, 1)] * 5, 5))
@example(table=(all_distinct(6, 3), 6))
@example(table=(all_distinct(7, 1), 3))
@example(table=(all_distinct(3, 2), 3))
@example(table=([(None, None), (1, 2)], 2))
@example(table=([(None, 2), (1, 2), (1, 3)], 2))
def test_k_holds_afterwards_and_cells_are_only_blanked(
    missing: Missing, table: tuple[Rows, int]
) -> None:
    rows, k = table
    after, outcome = suppressed(rows, k=k, missing=missing)
    assert smallest(after, missing) >= k
    assert only_blanked(rows, after)
    assert Classes.of(outcome.table, outcome.table.columns, missing=missing).k >= k
    again, second = suppressed(after, k=k, missing=missing)
    assert again == after
    assert second.facts["n_suppressed_cells"] == 0


@both_ways
@settings(max_examples=150, deadline=None)
@given(table=tables(), other_k=st.integers(2, 4))
def test_every_subset_of_each_size_reaches_its_k(
    missing: Missing, table: tuple[Rows, int], other_k: int
) -> None:
    rows, k = table
    m = len(rows[0])
    sizes = {m: k} | {(m + 1) // 2: min(other_k, len(rows))}
    after, _ = suppressed(rows, subsets=sizes, missing=missing)
    assert only_blanked(rows, after)
    for size, least in sizes.items():
        for subset in combinations(range(m), size):
            part = [tuple(row[i] for i in subset) for row in after]
            assert smallest(part, missing) >= least


@settings(max_examples=200, deadline=None)
@given(table=tables(nulls=False))
def test_under_wildcards_only_rare_records_lose_cells_and_no_more_than_they_need(
    table: tuple[Rows, int],
) -> None:
    rows, k = table
    after, _ = suppressed(rows, k=k, missing="wildcard")
    for row, changed in zip(rows, after, strict=True):
        blank = [i for i, cell in enumerate(changed) if cell is None]
        if not blank:
            continue
        assert rows.count(row) < k
        for column in blank:
            fewer = tuple(None if i in blank and i != column else c for i, c in enumerate(row))
            assert n_matches(fewer, rows) < k


@settings(max_examples=150, deadline=None)
@given(table=tables(nulls=False))
def test_under_wildcards_no_record_is_blanked_in_vain(table: tuple[Rows, int]) -> None:
    rows, k = table
    after, _ = suppressed(rows, k=k, missing="wildcard")
    if any(set(row) == {None} for row in after):
        return  # The passes that follow may make an earlier choice needless.
    for i, row in enumerate(rows):
        if after[i] != row:
            restored = [*after[:i], row, *after[i + 1 :]]
            assert smallest(restored, "wildcard") < k


@both_ways
@settings(max_examples=60, deadline=None)
@given(table=tables(most_rows=20))
def test_strata_are_safe_by_themselves(missing: Missing, table: tuple[Rows, int]) -> None:
    rows, k = table
    frame = frame_of(rows + rows).with_columns(region=pl.Series(["a", "b"] * len(rows)))
    keys = frame.columns[:-1]
    roles = Roles(quasi_identifiers=keys, strata=["region"])
    after = LocalSuppression(k=k, missing=missing).protect(Table(frame, roles)).frame
    assert after["region"].equals(frame["region"])
    for _, stratum in after.group_by("region"):
        assert smallest(stratum.select(keys).rows(), missing) >= k


@both_ways
def test_scenarios_are_seen_to(missing: Missing) -> None:
    rng = np.random.default_rng(1)
    frame = pl.DataFrame({name: rng.integers(0, 5, 80) for name in "abcd"})
    roles = Roles(quasi_identifiers=["a", "b"], scenarios={"neighbour": ["b", "c", "d"]})
    step = LocalSuppression(k=3, missing=missing)
    after = step.protect(Table(frame, roles)).frame
    assert step.touches(Table(frame, roles)) == ("a", "b", "c", "d")
    assert smallest(after.select("a", "b").rows(), missing) >= 3
    assert smallest(after.select("b", "c", "d").rows(), missing) >= 3


@both_ways
def test_safe_tables_stay_as_they_are(missing: Missing) -> None:
    rows: Rows = [(1, 2)] * 4 + [(3, None)] * 4
    after, outcome = suppressed(rows, k=4, missing=missing)
    assert after == rows
    assert outcome.facts["n_records_touched"] == 0


@both_ways
def test_every_kind_of_column_keeps_its_kind(any_column: pl.Series, missing: Missing) -> None:
    frame = pl.DataFrame({"y": [1, 2, 3, 4, 5, 6], "x": any_column, "z": list("abcdef")})
    after = LocalSuppression(k=2, columns=["x", "y"], missing=missing).protect(frame)
    assert after.schema == frame.schema
    assert after["z"].equals(frame["z"])
    assert smallest(after.select("x", "y").rows(), missing) >= 2


def test_an_empty_table_is_safe() -> None:
    frame = pl.DataFrame({"a": []}, schema={"a": pl.Int64})
    outcome = LocalSuppression(k=2, columns="a").apply(Table(frame), np.random.default_rng(0))
    assert outcome.table.frame.equals(frame)


def test_a_pandas_frame_comes_back_with_its_index() -> None:
    frame = pd.DataFrame({"a": ["x", "x", "y"], "b": [1, 1, 1]}, index=[7, 8, 9])
    after = LocalSuppression(k=2, columns=["a", "b"], missing="wildcard").protect(frame)
    assert list(after.index) == [7, 8, 9]
    assert after["a"].isna().tolist() == [False, False, True]


def test_facts_count_cells_by_column_and_hold_no_value() -> None:
    frame = pl.DataFrame({"town": ["A", "A", "A", "zebra-77"], "day": [dt.date(2024, 1, 1)] * 4})
    outcome = LocalSuppression(k=2, columns=["town", "day"], missing="wildcard").apply(
        Table(frame), np.random.default_rng(0)
    )
    assert outcome.facts == {
        "n_suppressed_cells": 1,
        "n_suppressed_by_column": {"town": 1, "day": 0},
        "suppressed_share": {"town": 0.25, "day": 0.0},
        "n_records_touched": 1,
        "n_missing": {"town": 0, "day": 0},
    }
    assert "zebra" not in json.dumps(dict(outcome.facts))


ODD_ONE = pl.DataFrame({"a": [1, 1, 1, 2, 2, 2, 2], "b": [1, 1, 2, 2, 2, 3, 3]})
"""One record alone, like others but for either key."""


@pytest.mark.parametrize("kept", ["a", "b"])
@both_ways
def test_keys_of_larger_importance_are_kept(kept: str, missing: Missing) -> None:
    step = LocalSuppression(k=2, columns=["a", "b"], importance={kept: 3}, missing=missing)
    after = step.protect(ODD_ONE)
    assert after[kept].null_count() == 0
    assert after.null_count().sum_horizontal().item() > 0


@both_ways
def test_among_equals_the_key_with_more_values_is_blanked(missing: Missing) -> None:
    after = LocalSuppression(k=2, columns=["a", "b"], missing=missing).protect(ODD_ONE)
    assert after["a"].null_count() == 0


@pytest.mark.parametrize(
    ("fields", "roles", "error", "words"),
    [
        ({"k": 8}, {}, InputError, "7 records, fewer than k = 8"),
        ({"subsets": {1: 8}}, {}, InputError, "fewer than k = 8"),
        ({"k": 4}, {"strata": "a"}, InputError, "1 of 2 strata have fewer than k = 4"),
        ({"k": 9}, {"entity": "b"}, InputError, "people, fewer than k = 9"),
        ({"k": 2, "importance": {"id": 2}}, {}, ColumnError, "'id', which is not one of the keys"),
        ({"k": 2, "importance": {"bb": 2}}, {}, ColumnError, "No column 'bb'"),
        ({"k": 2, "subsets": {3: 2}}, {}, InputError, "no subsets of 3 keys among 2"),
        ({"k": 3, "max_share": 0.01}, {}, InputError, "more than max_share allows"),
        ({"k": 2, "columns": ["c"]}, {}, ColumnError, "No column 'c'"),
    ],
)
def test_what_cannot_be_is_said(
    fields: dict[str, Any], roles: dict[str, Any], error: type[Exception], words: str
) -> None:
    frame = ODD_ONE.with_columns(id=pl.int_range(pl.len()))
    with pytest.raises(error, match=words):
        LocalSuppression(**fields).protect(frame, Roles(quasi_identifiers=["a", "b"], **roles))


def test_more_keys_or_subsets_than_can_be_seen_to_are_refused() -> None:
    wide = pl.DataFrame({f"key{i}": [1, 1, 2] for i in range(63)})
    with pytest.raises(ColumnError, match="at most 62 keys, not 63"):
        LocalSuppression(k=2, columns=wide.columns).protect(wide)
    with pytest.raises(InputError, match="40 keys have 91390 subsets of 4"):
        LocalSuppression(subsets={4: 2}, columns=wide.columns[:40]).protect(wide)


def test_named_keys_are_those_it_decides_about() -> None:
    assert LocalSuppression(k=2, columns=["b"]).touches(Table(ODD_ONE)) == ("b",)


def test_strata_can_be_left_aside() -> None:
    roles = Roles(quasi_identifiers=["b"], strata=["a"])
    step = LocalSuppression(k=5, by_strata=False, missing="category")
    after = step.protect(Table(ODD_ONE, roles)).frame
    assert smallest(after.select("b").rows(), "category") >= 5


def test_no_keys_are_an_error() -> None:
    with pytest.raises(RolesError, match="needs keys"):
        LocalSuppression(k=2).protect(ODD_ONE)


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ({}, "Give k, or subsets"),
        ({"k": 1}, "greater than or equal to 2"),
        ({"k": 2, "importance": {"a": 0}}, "greater than or equal to 0.000001"),
        ({"subsets": {"0": 2}}, "greater than or equal to 1"),
    ],
)
def test_bad_parameters_are_refused(raw: dict[str, Any], words: str) -> None:
    with pytest.raises(SpecError, match=words):
        LocalSuppression.parse(raw)


def test_subsets_survive_plain_data() -> None:
    step = LocalSuppression(subsets={3: 5, 2: 7}, importance={"a": 2})
    assert LocalSuppression.parse(json.loads(json.dumps(step.to_dict()))) == step


def test_a_household_column_costs_the_cells_of_all_members() -> None:
    rng = np.random.default_rng(0)
    n_homes, members = 120, 4
    frame = pl.DataFrame(
        {
            "home": np.repeat(np.arange(n_homes), members),
            "town": np.repeat(rng.integers(0, 8, n_homes), members),
            "age": rng.integers(0, 8, n_homes * members),
        }
    )
    keys = ["town", "age"]
    alone = LocalSuppression(k=6, columns=keys).apply(Table(frame), rng).facts
    roles = Roles(household="home")
    together = LocalSuppression(k=6, columns=keys).apply(Table(frame, roles), rng).facts
    # Blind to households, it would blank a town where one age is enough, and three more with it.
    assert together["n_suppressed_by_column"]["town"] == 0
    assert together["n_suppressed_cells"] <= 1.5 * alone["n_suppressed_cells"]
