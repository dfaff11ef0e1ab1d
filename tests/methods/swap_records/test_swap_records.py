from __future__ import annotations

from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.errors import ColumnError, InputError, SpecError
from microveil.methods.swap_records.step import SwapRecords
from microveil.tables import Table
from tests.methods.swap_records.cases import (
    PLACE,
    counts,
    fitting,
    outcome,
    people,
    step,
    steps,
    tables,
)


@given(steps, tables, st.integers(0, 2**32))
@settings(deadline=None)
def test_whole_households_change_places_in_disjoint_pairs(
    method: SwapRecords, frame: pl.DataFrame, seed: int
) -> None:
    before = fitting(method, frame)
    after = outcome(method, before, seed).table.frame
    assert after.drop(PLACE).equals(before.drop(PLACE))
    old = before.group_by("home", maintain_order=True).first()
    new = after.group_by("home", maintain_order=True).first()
    assert after.select("home", *PLACE).unique().height == new.height
    # A grid cell names its household, so it tells who changed with whom.
    owner = dict(zip(old["grid"], old["home"], strict=True))
    partner = {home: owner[grid] for home, grid in new.select("home", "grid").iter_rows()}
    assert all(partner[partner[home]] == home for home in partner)
    was = {row["home"]: row for row in old.iter_rows(named=True)}
    for home, other in partner.items():
        if other != home:
            assert was[home]["town"] != was[other]["town"]
            assert all(was[home]["rooms"] == was[other]["rooms"] for _ in method.similar)


@given(steps, tables, st.integers(0, 2**32))
@settings(deadline=None)
def test_counts_by_area_and_profile_stay_exactly(
    method: SwapRecords, frame: pl.DataFrame, seed: int
) -> None:
    before = fitting(method, frame)
    after = outcome(method, before, seed).table.frame
    shared = ["rooms"] if method.similar else []
    for area in ("region", "town"):
        # Records of each area, hence its people, and households.
        assert counts(before, area, *shared) == counts(after, area, *shared)
        one_each = [
            counts(frame.unique("home", keep="first", maintain_order=True), area, *shared)
            for frame in (before, after)
        ]
        assert one_each[0] == one_each[1]


def test_a_profile_may_keep_swaps_inside_the_larger_area() -> None:
    frame = people(800, 5)
    inside = step(similar=[["region", "rooms"], ["rooms"]], swap_share=0.2)
    after = outcome(inside, frame).table.frame
    assert after["region"].equals(frame["region"])
    assert not after["town"].equals(frame["town"])


def test_sizes_may_differ_when_asked() -> None:
    frame = pl.DataFrame({"town": ["a", "a", "b"], "home": [1, 1, 2]})
    keep = SwapRecords(hierarchy="town", household="home", swap_share=1)
    assert outcome(keep, frame).facts["n_swapped"] == 0
    free = keep.model_copy(update={"same_size": False})
    assert outcome(free, frame).table.frame["town"].to_list() == ["b", "b", "a"]


def test_the_household_of_the_roles_is_meant_unless_one_is_named() -> None:
    frame = pl.DataFrame({"town": ["a", "a", "b", "b"], "home": [1, 1, 2, 2]})
    method = SwapRecords(hierarchy="town", swap_share=1)
    assert outcome(method, frame).facts["n_households"] == 4
    assert outcome(method, frame, household="home").facts["n_households"] == 2


def test_missing_places_stay_and_missing_households_are_single() -> None:
    frame = pl.DataFrame(
        {"town": ["a", None, "b", "a", "b", "b"], "home": [None, 7, None, 8, 9, None]}
    )
    result = outcome(SwapRecords(hierarchy="town", household="home", swap_share=1), frame)
    assert result.table.frame["town"].is_null().to_list() == [False, True] + [False] * 4
    assert result.facts["n_households"] == 6
    assert result.facts["n_left_aside"] == 1
    assert result.facts["n_swapped"] == 4
    assert result.facts["n_missing"] == {"town": 1}


def test_every_kind_of_code_can_move(any_column: pl.Series) -> None:
    frame = pl.DataFrame({"x": any_column, "near": [1, 2, 3, 4, 5, 6]})
    method = SwapRecords(hierarchy="near", carry_along="x", swap_share=1)
    after = method.protect(frame, seed=1)["x"]
    assert after.dtype == any_column.dtype
    assert sorted(map(str, after.to_list())) == sorted(map(str, any_column.to_list()))


def test_the_same_seed_swaps_the_same_households() -> None:
    frame, method = people(200, 2), step(swap_share=0.5, similar="rooms")
    results = [outcome(method, frame, seed).table.frame for seed in (1, 1, 2)]
    assert results[0].equals(results[1])
    assert not results[0].equals(results[2])


def test_the_order_in_which_text_was_met_before_makes_no_difference() -> None:
    numbers, method = people(200, 2), step(swap_share=0.5, similar="rooms")
    # The process numbers texts as it meets them: here the other way round.
    kept = pl.Series([f"seen {n}" for n in range(30, -1, -1)], dtype=pl.Categorical())
    names = ("region", "town", "rooms")
    texts = numbers.with_columns(pl.format("seen {}", pl.col(name)).alias(name) for name in names)
    moved = outcome(method, numbers).table.frame["town"]
    spelt = outcome(method, texts).table.frame["town"]
    assert spelt.to_list() == [f"seen {n}" for n in moved]
    assert kept.len() == 31


def test_an_empty_table_stays_empty() -> None:
    assert outcome(step(), people(8, 1).clear()).facts["n_swapped"] == 0


def test_codes_in_several_larger_areas_are_refused_unless_said() -> None:
    frame = pl.DataFrame({"region": [1, 1, 2, 2], "town": [1, 2, 1, 2]})
    with pytest.raises(ColumnError, match="2 codes of 'town' belong to more than one area of 'reg"):
        SwapRecords(hierarchy=["region", "town"]).protect(frame)
    local = SwapRecords(hierarchy=["region", "town"], codes_nest=False, swap_share=1)
    after = local.protect(frame, seed=1)
    assert counts(after, "region", "town") == counts(frame, "region", "town")


def test_one_area_is_refused() -> None:
    with pytest.raises(InputError, match="All 3 households lie in one area of 'town'"):
        SwapRecords(hierarchy="town").protect({"town": ["a"] * 3})


def test_a_household_in_two_places_is_refused() -> None:
    frame = {"town": ["a", "b", "b"], "home": [1, 1, 2]}
    with pytest.raises(ColumnError, match=r"one value of 'town' .* 1 of 2 households have several"):
        SwapRecords(hierarchy="town", household="home").protect(frame)


def test_k_needs_something_to_count_by() -> None:
    with pytest.raises(InputError, match="with k needs risk_columns"):
        SwapRecords(hierarchy="town", k=3).protect({"town": ["a", "b"]})


def test_quasi_identifiers_are_the_risk_columns_unless_named() -> None:
    frame = pl.DataFrame({"town": ["a", "a", "b", "b"], "age": [1, 2, 3, 3]})
    method = SwapRecords(hierarchy="town", k=2, swap_share=0)
    facts = outcome(method, frame, quasi_identifiers=["age", "town"]).facts
    assert facts["n_at_risk"] == {"town": 2}


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"swap_share": 1.5}, "less than or equal to 1"),
        ({"swap_share": 0}, "Nothing would be swapped"),
        ({"k": 1}, "greater than or equal to 2"),
        ({"carry_along": ["town"]}, "'town' cannot be in both hierarchy and carry_along"),
        ({"hierarchy": []}, "at least 1 item"),
        ({"hierarchy": ["town", "town"]}, "named more than once"),
    ],
)
def test_contradictions_are_refused_before_any_data(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(SpecError, match=message):
        SwapRecords.parse({"hierarchy": ["town"], **fields})


def test_an_unknown_column_is_named() -> None:
    with pytest.raises(ColumnError, match="No column 'roms'"):
        step(similar=["roms"]).protect(people(10, 1))


def test_one_profile_may_be_a_plain_list() -> None:
    assert SwapRecords(hierarchy="a", similar=["b", "c"]).similar == (("b", "c"),)
    assert SwapRecords(hierarchy="a", similar="b").similar == (("b",),)
    assert SwapRecords(hierarchy="a", similar=[["b"], "c"]).similar == (("b",), ("c",))


def test_the_columns_that_move_are_those_it_touches() -> None:
    method = step()
    assert method.touches(Table(people(8, 1))) == ("region", "town", "grid")
    assert method.perturbative
