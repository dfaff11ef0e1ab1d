from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.errors import ColumnError, HierarchyError, InputError, RolesError
from microveil.methods.datafly.step import Datafly
from microveil.methods.parts.base import Outcome
from microveil.privacy.k_map import KMap
from microveil.privacy.l_diversity import LDiversity
from microveil.privacy.t_closeness import TCloseness
from microveil.tables import Roles, Table

KEYS = ("a", "b", "c")
Row = tuple[int | None, ...]

numbers = st.none() | st.integers(0, 130)
rows = st.tuples(numbers, st.none() | st.integers(0, 9), st.integers(40, 60))
records = st.lists(rows, min_size=1, max_size=40)


def frame_of(some: list[Row]) -> pl.DataFrame:
    frame = pl.DataFrame(some, schema=dict.fromkeys(KEYS, pl.Int64), orient="row")
    return frame.with_row_index("id")


def applied(frame: pl.DataFrame, roles: Roles | None = None, **how: Any) -> Outcome:
    roles = roles or Roles(quasi_identifiers=KEYS)
    return Datafly(**how).apply(Table(frame, roles), np.random.default_rng(0))


def label(value: int | None, level: int, top: int) -> str | None:
    """x − x mod 10ⁱ of a number, by plain arithmetic; all is a star at the top."""
    if level == top:
        return "*"
    return None if value is None else str(value - value % 10**level)


def plain_datafly(some: list[Row], k: int, most: int) -> tuple[list[Any], list[int]]:
    """The published description word for word: kept rows with their numbers, and the levels."""
    tops = [
        1 + max((len(str(v)) if v else 1 for v in column if v is not None), default=0)
        for column in zip(*some, strict=True)
    ]
    levels = [0] * len(tops)
    while True:
        now = [tuple(map(label, row, levels, tops)) for row in some]
        sizes = Counter(now)
        rare = [row for row in now if sizes[row] < k]
        if len(rare) <= most and len(rare) < len(now):
            return [(i, row) for i, row in enumerate(now) if sizes[row] >= k], levels
        distinct = [
            len(set(column)) if level < top else 0
            for column, level, top in zip(zip(*now, strict=True), levels, tops, strict=True)
        ]
        levels[distinct.index(max(distinct))] += 1


@given(records, st.integers(2, 5), st.none() | st.integers(0, 6))
def test_it_does_what_the_plain_description_says(
    some: list[Row], k: int, max_suppressed: int | None
) -> None:
    if len(some) < k:
        return
    most = k if max_suppressed is None else max_suppressed
    kept, levels = plain_datafly(some, k, most)
    outcome = applied(frame_of(some), k=k, max_suppressed=max_suppressed)
    after = outcome.table.frame.select("id", *(pl.col(name).cast(pl.String) for name in KEYS))
    assert after.rows() == [(i, *row) for i, row in kept]
    assert outcome.facts == {
        "levels": dict(zip(KEYS, levels, strict=True)),
        "n_suppressed": len(some) - len(kept),
        "n_iterations": sum(levels),
    }


@given(records, st.integers(2, 6))
def test_every_combination_left_occurs_k_times_and_few_records_go(some: list[Row], k: int) -> None:
    if len(some) < k:
        return
    after = applied(frame_of(some), k=k).table
    sizes = Counter(after.frame.select(KEYS).rows())
    assert min(sizes.values()) >= k
    assert 0 <= len(some) - after.height <= k
    rows_kept = np.arange(len(some)) if after.rows is None else after.rows
    assert after.frame["id"].to_list() == rows_kept.tolist()


@given(records, st.integers(2, 3), st.data())
def test_further_promises_hold_for_what_is_left(
    some: list[Row], k: int, data: st.DataObject
) -> None:
    n = len(some)
    ill = data.draw(st.lists(st.sampled_from("xyz"), min_size=n, max_size=n))
    if n < k or len(set(ill)) < 2:
        return
    frame = frame_of(some).with_columns(ill=pl.Series(ill))
    models = [LDiversity(l=2, column="ill"), TCloseness(t=0.4, column="ill", distance="equal")]
    after = applied(frame, k=k, models=models).table.frame
    members = defaultdict(list)
    for *keys, secret in after.select(*KEYS, "ill").rows():
        members[tuple(keys)].append(secret)
    overall = Counter(after["ill"].to_list())
    for secrets in members.values():
        assert len(secrets) >= k
        assert len(set(secrets)) >= 2
        inside = Counter(secrets)
        apart = sum(abs(inside[v] / len(secrets) - overall[v] / after.height) for v in overall)
        assert apart / 2 <= 0.4 + 1e-9


@given(records, st.integers(2, 3))
def test_people_are_counted_where_a_person_has_several_rows(some: list[Row], k: int) -> None:
    frame = frame_of(some).with_columns(who=pl.col("id") // 2)
    roles = Roles(quasi_identifiers=KEYS, entity="who")
    if frame["who"].n_unique() < k:
        with pytest.raises(InputError):
            applied(frame, roles, k=k)
        return
    after = applied(frame, roles, k=k).table.frame
    people = defaultdict(set)
    for *keys, who in after.select(*KEYS, "who").rows():
        people[tuple(keys)].add(who)
    assert min(map(len, people.values())) >= k


def test_of_keys_with_equally_many_values_the_first_is_generalised() -> None:
    frame = pl.DataFrame({"a": [11, 12, 13, 14], "b": [21, 22, 23, 24], "c": [1, 1, 1, 1]})
    levels = applied(frame, k=4, max_suppressed=0).facts["levels"]
    assert levels == {"a": 1, "b": 1, "c": 0}
    one = applied(frame.drop("b"), Roles(quasi_identifiers=["c", "a"]), k=4, max_suppressed=0)
    assert one.facts["levels"] == {"c": 0, "a": 1}


def test_domain_hierarchies_and_ranges_take_the_place_of_types() -> None:
    frame = pl.DataFrame({"a": [31, 38, 42, 44], "b": ["Lyon", "Paris", "Rome", "Rome"]})
    outcome = applied(
        frame,
        Roles(quasi_identifiers=["a", "b"]),
        k=2,
        max_suppressed=0,
        hierarchies={
            "a": {"hierarchy": "intervals", "width": 10},
            "b": {"tree": {"FR": ["Lyon", "Paris"], "IT": ["Rome", "Bari"]}},
        },
    )
    assert outcome.table.frame.rows() == [
        ("[30, 40)", "FR"),
        ("[30, 40)", "FR"),
        ("[40, 50)", "IT"),
        ("[40, 50)", "IT"),
    ]


def test_unlisted_values_are_an_error_or_a_star() -> None:
    frame = pl.DataFrame({"b": ["Lyon", "Lyon", "Oz", "Ys"]})
    how: dict[str, Any] = {"k": 2, "hierarchies": {"b": {"tree": {"FR": ["Lyon"]}}}}
    roles = Roles(quasi_identifiers=["b"])
    with pytest.raises(HierarchyError, match=r"'b': 2 distinct values \(2 records\)"):
        applied(frame, roles, **how)
    after = applied(frame, roles, **how, unlisted="star").table.frame
    assert after["b"].to_list() == ["Lyon", "Lyon", "*", "*"]


def test_a_missing_key_is_a_value_until_its_column_says_nothing() -> None:
    kept = applied(frame_of([(None, 1, 50), (None, 1, 50), (10, 1, 50), (10, 1, 50)]), k=2)
    assert kept.table.frame["a"].to_list() == [None, None, 10, 10]
    lost = applied(frame_of([(None, 1, 50), (17, 1, 50), (10, 1, 50)]), k=2, max_suppressed=0)
    assert lost.table.frame["a"].to_list() == ["*", "*", "*"]


def test_removing_everybody_is_no_solution() -> None:
    outcome = applied(frame_of([(1, 1, 50), (2, 1, 50)]), k=2)
    assert outcome.table.frame.select(KEYS).rows() == [("0", 1, 50), ("0", 1, 50)]
    assert outcome.facts["n_suppressed"] == 0


def test_promises_that_not_even_a_star_keeps_are_an_error() -> None:
    frame = frame_of([(1, 1, 50)] * 9).with_columns(ill=pl.lit("x"))
    with pytest.raises(InputError, match=r"Even with every key generalised to '\*', more than 3"):
        applied(frame, k=3, models=[LDiversity(l=2, column="ill")])


def test_a_model_that_looks_keys_up_in_a_population_is_refused() -> None:
    models = [KMap(k=2, population="population.csv")]
    with pytest.raises(InputError, match="'k_map' looks keys up in a population"):
        Datafly(k=2, columns="x", models=models).protect({"x": [1, 2, 3, 4]})


def test_fewer_records_than_k_are_refused() -> None:
    with pytest.raises(InputError, match="k = 1000000: the table has 1 records"):
        applied(frame_of([(1, 1, 50)]), k=1_000_000)


def test_an_empty_table_passes_through() -> None:
    outcome = applied(frame_of([]), k=2)
    assert outcome.table.frame.equals(frame_of([]))
    assert outcome.facts["n_suppressed"] == 0


def test_every_kind_of_key_is_generalised_or_refused_by_name(any_column: pl.Series) -> None:
    frame = any_column.to_frame().with_columns(pl.lit(1).alias("y"))
    try:
        after = Datafly(k=2, columns=["x", "y"]).protect(frame)
    except ColumnError as error:
        assert "'x'" in str(error)  # noqa: PT017  either way out is right
        assert any_column.dtype in (pl.Time, pl.Duration)
    else:
        assert min(Counter(after.rows()).values()) >= 2


def test_keys_must_be_known_and_plain(nested: pl.DataFrame) -> None:
    with pytest.raises(RolesError, match="needs keys"):
        Datafly(k=2).protect({"x": [1, 2]})
    with pytest.raises(ColumnError, match="No column 'y'"):
        Datafly(k=2, columns="y").protect({"x": [1, 2]})
    with pytest.raises(ColumnError, match="nested"):
        Datafly(k=2, columns="x").protect(nested)
    with pytest.raises(ColumnError, match="hierarchy for 'y', which is not one of its keys"):
        Datafly(k=2, columns="x", hierarchies={"y": {"hierarchy": "types"}}).protect({"x": [1]})


def test_pandas_rows_keep_their_index() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"a": [11, 12, 99, 13]}, index=list("pqrs"))
    after = Datafly(k=3, columns="a").protect(frame)
    assert list(after.index) == ["p", "q", "s"]
    assert list(after["a"]) == ["10", "10", "10"]
