from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.errors import ColumnError, InputError, SpecError
from microveil.methods.swap_records.step import SwapRecords
from microveil.tables import Roles, Table

PLACE = ["region", "town", "grid"]


def people(n_households: int, seed: int, most: int = 4) -> pl.DataFrame:
    """Households in towns of regions, with a grid cell that belongs to the place."""
    rng = np.random.default_rng(seed)
    size = rng.integers(1, most, n_households)
    home = np.repeat(np.arange(n_households), size)
    region = rng.integers(0, 3, n_households)
    town = 10 * region + rng.integers(0, 3, n_households)
    return pl.DataFrame(
        {
            "region": region[home],
            "town": town[home],
            "grid": town[home] * 1000 + home,
            "home": home,
            "rooms": rng.integers(1, 4, n_households)[home],
            "sex": rng.integers(0, 2, len(home)),
            "age": rng.integers(0, 5, len(home)),
        },
        schema_overrides=dict.fromkeys(["region", "town", "grid", "home", "rooms"], pl.Int64),
    )


def counts(frame: pl.DataFrame, *columns: str) -> dict[Any, int]:
    return {row[:-1]: row[-1] for row in frame.group_by(columns).len().iter_rows()}


def step(**fields: Any) -> SwapRecords:
    defaults = {"hierarchy": ["region", "town"], "household": "home", "carry_along": ["grid"]}
    return SwapRecords(**(defaults | fields))


def outcome(method: SwapRecords, frame: pl.DataFrame, seed: int = 1, **roles: Any) -> Any:
    return method.apply(Table(frame, Roles(**roles)), np.random.default_rng(seed))


tables = st.builds(people, st.integers(8, 60), st.integers(0, 2**32))
steps = st.builds(
    step,
    similar=st.sampled_from([(), ["rooms"], [["rooms", "sex"], ["rooms"]]]),
    swap_share=st.floats(0.05, 1),
    k=st.sampled_from([None, 2, 3]),
    risk_columns=st.just(["sex", "age"]),
)


def fitting(method: SwapRecords, frame: pl.DataFrame) -> pl.DataFrame:
    """Profiles need columns of the household: the first member's sex stands for all."""
    named = any("sex" in profile for profile in method.similar)
    return frame.with_columns(pl.col("sex").first().over("home")) if named else frame


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


@given(tables, st.floats(0.05, 0.6), st.integers(0, 2**32))
@settings(deadline=None)
def test_the_share_asked_for_is_swapped_or_what_lacks_is_said(
    frame: pl.DataFrame, share: float, seed: int
) -> None:
    facts = outcome(step(swap_share=share), frame, seed).facts
    n = frame["home"].n_unique()
    wanted = 2 * int(share * n / 2 + 0.5)
    assert facts["n_households"] == n
    assert facts["n_swapped"] + facts["n_short"] == wanted
    assert sum(facts["n_swapped_by_profile"]) == facts["n_swapped"]


def test_with_many_alike_the_share_is_met_exactly() -> None:
    facts = outcome(step(swap_share=0.1), people(1000, 1)).facts
    assert facts["n_swapped"] == 100
    assert facts["n_short"] == 0


@given(tables, st.integers(0, 2**32))
@settings(deadline=None)
def test_households_at_risk_leave_the_largest_area_where_they_are(
    frame: pl.DataFrame, seed: int
) -> None:
    k = 3
    result = outcome(step(k=k, risk_columns=["sex", "age"], swap_share=0), frame, seed)
    before = frame.with_columns(
        pl.len().over("region", "sex", "age").alias("wide"),
        pl.len().over("town", "sex", "age").alias("near"),
        result.table.frame["region"].alias("new_region"),
        result.table.frame["town"].alias("new_town"),
    )
    homes = before.group_by("home").agg(
        pl.col("wide", "near").min(), pl.col("region", "town", "new_region", "new_town").first()
    )
    wide = homes.filter(pl.col("wide") < k)
    near = homes.filter((pl.col("wide") >= k) & (pl.col("near") < k))
    assert result.facts["n_at_risk"] == {"region": wide.height, "town": near.height}
    assert result.facts["n_unmatched"] == {
        "region": wide.filter(pl.col("region") == pl.col("new_region")).height,
        "town": near.filter(pl.col("town") == pl.col("new_town")).height,
    }


def test_all_at_risk_are_moved_where_partners_abound() -> None:
    frame = people(2000, 3)
    facts = outcome(step(k=3, risk_columns=["sex", "age", "rooms"], swap_share=0), frame).facts
    rare = frame.with_columns(
        odd=pl.when(pl.int_range(pl.len()) < 40).then(pl.int_range(pl.len())).otherwise(99)
    )
    targeted = outcome(step(k=2, risk_columns=["odd"], swap_share=0), rare)
    assert facts["n_unmatched"] == {"region": 0, "town": 0}
    n_rare = rare.filter(pl.col("odd") < 99)["home"].n_unique()
    assert targeted.facts["n_at_risk"] == {"region": n_rare, "town": 0}
    moved = targeted.table.frame.filter(pl.col("odd") < 99)["region"]
    assert (moved != rare.filter(pl.col("odd") < 99)["region"]).all()


def test_rarer_people_are_likelier_to_swap() -> None:
    n = 6000
    rng = np.random.default_rng(0)
    frame = pl.DataFrame(
        {"town": rng.integers(0, 10, n), "job": np.where(np.arange(n) < 300, "rare", "common")}
    )
    result = outcome(SwapRecords(hierarchy="town", swap_share=0.1, risk_columns="job"), frame)
    moved = result.table.frame["town"] != frame["town"]
    assert moved[:300].mean() > 0.5
    assert moved[300:].mean() < 0.1


def test_the_first_profile_that_has_a_partner_is_taken() -> None:
    frame = pl.DataFrame({"town": ["a", "b", "a", "b"], "rooms": [1, 1, 2, 3], "q": [0] * 4})
    method = SwapRecords(hierarchy="town", similar=[["rooms"], ["q"]], swap_share=1)
    result = outcome(method, frame)
    assert result.facts["n_swapped_by_profile"] in ([2, 2], [0, 4])
    strict = SwapRecords(hierarchy="town", similar=["rooms"], swap_share=1)
    facts = outcome(strict, frame).facts
    assert (facts["n_swapped"], facts["n_short"]) == (2, 2)


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
