from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from microveil.errors import ColumnError, InputError, SpecError
from microveil.methods.decompose.anatomy import largest_l
from microveil.methods.decompose.step import Decompose
from microveil.methods.parts.base import Outcome
from microveil.tables import Roles, Table
from microveil.tables.codes import encode

SPLIT = {"people": ["age", "sex", "zip"], "health": ["disease"]}


def split(table: Any, seed: int = 1, **how: Any) -> Outcome:
    table = table if isinstance(table, Table) else Table(table)
    return Decompose(**how).apply(table, np.random.default_rng(seed))


def test_linked_tables_join_to_the_original(patients: pl.DataFrame) -> None:
    outcome = split(patients, groups={**SPLIT, "names": ["name"]})
    assert list(outcome.parts) == ["health", "names"]
    joined = outcome.table.frame
    for part in outcome.parts.values():
        joined = joined.join(part, on="link_id", validate="1:1")
    assert joined.select(patients.columns).sort("name").equals(patients.sort("name"))


def test_record_numbers_tell_nothing_about_the_order() -> None:
    frame = pl.DataFrame({"a": range(200), "b": range(200)})
    outcome = split(frame, groups={"one": ["a"], "two": ["b"]})
    part = outcome.parts["two"]
    assert part["link_id"].to_list() == list(range(1, 201))
    assert abs(np.corrcoef(part["b"].to_numpy(), np.arange(200))[0, 1]) < 0.3
    assert outcome.table.frame["a"].to_list() == list(range(200))


def test_columns_in_no_group_are_left_out_and_said(patients: pl.DataFrame, roles: Roles) -> None:
    outcome = split(Table(patients, roles), groups=SPLIT)
    assert outcome.facts == {"tables": SPLIT, "main": "people", "left_out": ["name"]}
    assert outcome.table.columns == ["link_id", "age", "sex", "zip"]
    assert outcome.table.roles.sensitive == ()
    assert outcome.table.roles.insensitive == ("link_id",)
    assert Decompose(groups=SPLIT).touches(outcome.table) == tuple(outcome.table.columns)


@given(
    st.lists(st.sampled_from("abcdef") | st.none(), min_size=2, max_size=60),
    st.integers(2, 4),
    st.integers(0, 2**32),
)
def test_anatomy_links_through_groups_of_l_different_values_only(
    values: list[str | None],
    l: int,  # noqa: E741  the trade's letter
    seed: int,
) -> None:
    assume(max(Counter(values).values()) * l <= len(values))
    frame = pl.DataFrame({"id": range(len(values)), "s": pl.Series(values, dtype=pl.String)})
    outcome = split(frame, seed, groups={"keys": ["id"], "values": ["s"]}, l=l)
    part = outcome.parts["values"]
    group_of = dict(outcome.table.frame.select("id", "link_id").iter_rows())
    pairs = Counter((group_of[i], value) for i, value in enumerate(values))
    assert {(group, value): n for group, value, n in part.iter_rows()} == pairs
    assert set(pairs.values()) == {1}
    sizes = Counter(group_of.values())
    assert min(sizes.values()) >= l
    assert len(sizes) == len(values) // l
    assert outcome.facts["smallest_group"] == min(sizes.values())
    assert outcome.facts["largest_group"] == max(sizes.values())


@given(st.lists(st.sampled_from("abcd"), min_size=1, max_size=30), st.integers(2, 6))
def test_what_cannot_be_grouped_is_refused_with_the_largest_l(
    values: list[str],
    l: int,  # noqa: E741  the trade's letter
) -> None:
    largest = len(values) // max(Counter(values).values())
    assert largest_l(encode(pl.Series(values)).values) == largest
    groups = {"keys": ["k"], "values": ["s"]}
    frame = {"k": values, "s": values}
    if l <= largest:
        assert split(frame, groups=groups, l=l).facts["n_groups"] == len(values) // l
        return
    limit = f"l can be at most {largest}" if largest > 1 else "no l of 2 or more is possible"
    with pytest.raises(InputError, match=limit):
        split(frame, groups=groups, l=l)


def test_within_a_group_each_record_may_have_each_value() -> None:
    # Two records, two values, one group: the link must leave both pairings equally likely.
    frame = pl.DataFrame({"k": range(100), "s": ["a", "b"] * 50})
    groups = {"keys": ["k"], "values": ["s"]}
    partners = set()
    for seed in range(20):
        main = split(frame, seed, groups=groups, l=2).table.frame
        mine = main.filter(pl.col("k") == 0)["link_id"].item()
        partners.add(main.filter(pl.col("link_id") == mine, pl.col("k") != 0)["k"].item())
    assert len(partners) > 10
    assert all(partner % 2 == 1 for partner in partners)


def test_the_parts_follow_from_the_seed() -> None:
    frame = pl.DataFrame({"k": range(30), "s": list("abc") * 10})
    how = {"groups": {"keys": ["k"], "values": ["s"]}, "l": 3}
    links = [split(frame, seed, **how).table.frame["link_id"].to_list() for seed in (1, 1, 2)]
    assert links[0] == links[1] != links[2]


@pytest.mark.parametrize("how", [{}, {"l": 2}])
def test_an_empty_table_stays_empty(how: dict[str, int]) -> None:
    frame = pl.DataFrame(schema={"k": pl.Int64, "s": pl.String})
    outcome = split(frame, groups={"keys": ["k"], "values": ["s"]}, **how)
    assert outcome.table.height == outcome.parts["values"].height == 0


def test_every_kind_of_sensitive_column_can_be_split_off(any_column: pl.Series) -> None:
    frame = any_column.to_frame().with_columns(k=pl.int_range(pl.len()))
    part = split(frame, groups={"keys": ["k"], "values": ["x"]}).parts["values"]
    assert Counter(part["x"].to_list()) == Counter(any_column.to_list())


def test_every_kind_of_sensitive_column_can_be_anatomised(any_column: pl.Series) -> None:
    pairs = any_column.unique().to_frame().with_columns(k=pl.lit(1))
    assume_diverse = pairs.height >= 2
    groups = {"keys": ["k"], "values": ["x"]}
    if not assume_diverse:
        with pytest.raises(InputError, match="no l of 2 or more"):
            split(pairs, groups=groups, l=2)
        return
    assert split(pairs, groups=groups, l=2).parts["values"]["count"].sum() == pairs.height


def test_a_sensitive_column_may_itself_be_named_count() -> None:
    part = split({"k": [1, 2], "count": [7, 8]}, groups={"a": ["k"], "b": ["count"]}, l=2)
    assert part.parts["b"].columns == ["link_id", "count", "n_records"]


def test_a_link_column_must_be_new(patients: pl.DataFrame) -> None:
    with pytest.raises(ColumnError, match="already have a column 'name'"):
        split(patients, groups=SPLIT, link="name")


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"groups": {"one": ["a"]}}, "at least 2 items"),
        ({"groups": {"one": ["a"], "two": ["a"]}}, "'a' is in more than one group"),
        ({"groups": {"one": ["a"], "two": ["b", "c"]}, "l": 2}, "one sensitive column"),
        ({"groups": {"one": ["a"], "two": ["b"], "three": ["c"]}, "l": 2}, "two groups"),
        ({"groups": {"one": ["a"], "../two": ["b"]}}, "match pattern"),
        ({"groups": {"one": ["a"], "two": ["b"]}, "l": 1}, "greater than or equal to 2"),
    ],
)
def test_an_unclear_split_is_refused(how: dict[str, Any], message: str) -> None:
    with pytest.raises(SpecError, match=message):
        Decompose.parse(how)


def test_nested_cells_are_refused_by_name(nested: pl.DataFrame) -> None:
    with pytest.raises(ColumnError, match="Step 'decompose' cannot use column 'x'"):
        split(nested, groups={"one": ["x"], "two": ["y"]})
