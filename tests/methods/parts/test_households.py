from __future__ import annotations

import json
from collections import Counter
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import microveil as mv
from microveil.errors import ColumnError, RolesError
from microveil.methods.parts.households import Households, household_level, number_ids
from microveil.tables import Roles, Table

STEPS: dict[str, dict[str, Any]] = {
    "pram": {"columns": ["tenure", "job"], "retention": 0.4},
    "pram invariant": {"columns": ["tenure", "job"], "retention": 0.4, "invariant": True},
    "randomized_response": {"columns": ["tenure", "job"], "epsilon": 0.5},
    "additive_noise": {"columns": ["rent", "pay"], "sd_share": 0.5},
    "additive_noise correlated": {
        "columns": ["rent", "pay"],
        "sd_share": 0.5,
        "correlated": True,
        "lower": 0,
    },
    "additive_noise kim": {"columns": ["rent", "pay"], "sd_share": 0.5, "variant": "kim"},
    "multiplicative_noise": {"columns": ["rent", "pay"], "sd": 0.5},
    "rank_swap": {"columns": ["rent", "pay"], "range_share": 0.3},
    "rank_swap coded": {"columns": ["rent", "pay"], "range_share": 0.3, "top_share": 0.1},
    "half_swap": {"columns": ["rent", "pay"]},
    "shuffle": {"columns": ["rent", "pay"], "given": ["rooms"]},
    "permute": {"columns": ["rent", "pay"]},
    "permute together": {"columns": ["rent", "pay"], "together": True},
    "round": {"columns": ["rent", "pay"], "base": 200, "mode": "random"},
    "microaggregate": {"columns": ["rent", "pay"], "k": 3},
    "microaggregate each": {"columns": ["rent", "pay"], "k": 3, "each": True},
    "microaggregate gower": {"columns": ["rent", "tenure", "pay"], "k": 3, "distance": "gower"},
}
steps = pytest.mark.parametrize("name", list(STEPS))


def step_of(name: str, **more: Any) -> mv.Method:
    return mv.METHODS.parse({"method": name.split(maxsplit=1)[0], **STEPS[name], **more})


def homes(n: int = 150, seed: int = 0) -> pl.DataFrame:
    """Households of one to five members, some records without a household."""
    rng = np.random.default_rng(seed)
    size = rng.integers(1, 6, n)
    home = np.repeat(np.arange(n), size)
    order = rng.permutation(len(home))
    frame = pl.DataFrame(
        {
            "home": home,
            "rooms": np.repeat(rng.integers(1, 6, n), size),
            "rent": np.repeat(rng.normal(900, 200, n).round(), size),
            "tenure": np.repeat(rng.choice(["own", "rent", "free"], n), size),
            "region": np.repeat(rng.choice(["n", "s"], n), size),
            "pay": rng.lognormal(7, 0.5, len(home)).round(),
            "job": rng.choice(["a", "b", "c", "d"], len(home)),
            "w": np.repeat(rng.integers(1, 9, n), size).astype(float),
        }
    )[order]
    lost = rng.random(frame.height) < 0.05
    return frame.with_columns(home=pl.when(~pl.Series(lost)).then("home"))


def contradictions(frame: pl.DataFrame, column: str) -> int:
    """Households whose members differ in a column."""
    known = frame.filter(pl.col("home").is_not_null())
    answers = known.group_by("home").agg(pl.col(column).n_unique())
    return int((answers[column] > 1).sum())


@steps
@pytest.mark.parametrize("roles", [{}, {"strata": ["region"]}, {"weight": "w"}])
def test_members_of_a_household_do_not_contradict_each_other(
    name: str, roles: dict[str, Any]
) -> None:
    table = Table(homes(), Roles.parse({"household": "home", **roles}))
    step = step_of(name)
    outcome = step.apply(table, np.random.default_rng(1))
    shared = [c for c in STEPS[name]["columns"] if c in ("rent", "tenure")]
    own = [c for c in STEPS[name]["columns"] if c in ("pay", "job")]
    assert outcome.facts["household_columns"] == shared
    for column in shared:
        assert contradictions(outcome.table.frame, column) == 0
        assert outcome.table.frame[column].ne_missing(table.frame[column]).any()
    for column in own:
        assert outcome.table.frame[column].ne_missing(table.frame[column]).any()
    json.dumps(dict(outcome.facts))


@steps
def test_without_the_role_they_would(name: str) -> None:
    table = Table(homes())
    after = step_of(name).apply(table, np.random.default_rng(1)).table.frame
    if "microaggregate each" not in name and "rank_swap coded" not in name:
        assert contradictions(after, "rent" if "rent" in STEPS[name]["columns"] else "tenure") > 20


@steps
def test_the_same_seed_gives_the_same_households(name: str) -> None:
    table = Table(homes(40), Roles(household="home"))
    twice = [step_of(name).apply(table, np.random.default_rng(3)).table.frame for _ in range(2)]
    assert twice[0].equals(twice[1])


def test_columns_that_households_differ_in_are_left_to_their_records() -> None:
    table = Table(homes(), Roles(household="home"))
    step = mv.Pram(columns=["job"], retention=0.4)
    assert "household_columns" not in step.apply(table, np.random.default_rng(1)).facts
    none = mv.Pram(columns=["tenure"], retention=0.4, household_columns=[])
    assert contradictions(none.apply(table, np.random.default_rng(1)).table.frame, "tenure") > 20


def test_columns_can_be_named_and_must_fit() -> None:
    table = Table(homes(), Roles(household="home"))
    named = mv.Pram(columns=["tenure", "job"], retention=0.4, household_columns="tenure")
    assert named.apply(table, np.random.default_rng(1)).facts["household_columns"] == ["tenure"]
    for step, message in (
        (mv.Pram(columns=["job"], retention=0.4, household_columns=["job"]), "differ in column"),
        (mv.Pram(columns=["job"], retention=0.4, household_columns=["rent"]), "not in columns"),
    ):
        with pytest.raises(ColumnError, match=message):
            step.protect(table)
    with pytest.raises(RolesError, match="roles name no household"):
        named.protect(Table(homes()))


def test_changes_are_counted_by_record() -> None:
    table = Table(homes(), Roles(household="home"))
    outcome = mv.Pram(columns=["tenure", "job"], retention=0.4).apply(
        table, np.random.default_rng(1)
    )
    for name in ("tenure", "job"):
        moved = outcome.table.frame[name].ne_missing(table.frame[name]).sum()
        assert outcome.facts["n_changed"][name] == moved
        assert len(outcome.facts["transition"][name]) == outcome.facts["n_categories"][name]
    n_alone = table.frame["home"].null_count()
    expected = table.frame["home"].drop_nulls().n_unique() + n_alone
    assert outcome.facts["n_households"] == expected


def test_k_records_share_all_columns_of_households_and_members_together() -> None:
    table = Table(homes(), Roles(household="home"))
    columns = ["rooms", "rent", "pay"]
    for k in (3, 5):
        step = mv.Microaggregate(columns=columns, k=k)
        after = step.apply(table, np.random.default_rng(1)).table.frame
        assert min(Counter(after.select(columns).rows()).values()) >= k
        assert contradictions(after, "rooms") == contradictions(after, "rent") == 0
        households = after.group_by("rooms", "rent").agg(pl.col("home").n_unique())
        assert int(households["home"].to_numpy().min()) >= k - 1  # those without an id count as one


def test_members_with_gaps_share_what_is_left_with_k() -> None:
    frame = homes().with_columns(pay=pl.when(pl.int_range(pl.len()) % 9 > 0).then("pay"))
    table = Table(frame, Roles(household="home"))
    after = mv.Microaggregate(columns=["rent", "pay"], k=4).protect(table).frame
    counted = Counter(after.select("rent", "pay").rows())
    assert all(n >= 4 for (_, pay), n in counted.items() if pay is not None)
    assert min(Counter(after["rent"]).values()) >= 4
    assert contradictions(after, "rent") == 0


def test_weighted_means_are_those_of_households() -> None:
    table = Table(homes(), Roles(household="home", weight="w"))
    after = mv.Microaggregate(columns=["rent"], k=3).protect(table).frame
    # One row per household, each with its weight.
    known = table.frame.filter(pl.col("home").is_not_null()).unique("home", maintain_order=True)
    later = after.filter(pl.col("home").is_not_null()).unique("home", maintain_order=True)
    assert known["home"].equals(later["home"])
    alone = table.frame["home"].is_null().to_numpy()

    def total(of_households: pl.DataFrame, of_all: pl.DataFrame) -> float:
        sides = [side.select("rent", "w").to_numpy() for side in (of_households, of_all)]
        return float(sides[0].prod(axis=1).sum() + sides[1][alone].prod(axis=1).sum())

    assert total(later, after) == pytest.approx(total(known, table.frame))


@given(st.lists(st.tuples(st.none() | st.integers(0, 4), st.none() | st.integers(0, 1))))
def test_a_column_is_about_households_when_none_differs_in_it(rows: list[Any]) -> None:
    home, value = [h for h, _ in rows], [v for _, v in rows]
    table = Table(
        pl.DataFrame({"home": home, "x": value}, schema={"home": pl.Int64, "x": pl.Int64}),
        Roles(household="home"),
    )
    found = household_level(table, ["x"], None, "pram")
    answers: dict[int, set[int | None]] = {}
    for h, v in rows:
        if h is not None:
            answers.setdefault(h, set()).add(v)
    shared = all(len(one) == 1 for one in answers.values())
    crowded = any(n > 1 for n in Counter(h for h in home if h is not None).values())
    assert (found is not None) == (shared and crowded)
    if found is not None:
        households, _ = found
        assert households.spread(table, households.collapse(table), ["x"]).frame.equals(table.frame)


def test_people_who_live_alone_need_no_second_look() -> None:
    table = Table({"home": [1, 2, None, None], "x": [1, 1, 1, 1]}, Roles(household="home"))
    assert Households.of(table) is None
    assert number_ids(pl.Series(["b", "a", None, "b"])).tolist() == [0, 1, 2, 0]
    assert number_ids(pl.Series([float("nan"), float("nan"), 1.0])).tolist() == [0, 1, 2]


def readable(before: pl.DataFrame, after: pl.DataFrame, column: str) -> int:
    """Blanks that another member of the household still shows."""
    both = pl.DataFrame({"home": before["home"], "was": before[column], "is": after[column]})
    shown = both.filter(pl.col("is").is_not_null())["home"].drop_nulls().unique()
    blanked = both.filter(pl.col("is").is_null() & pl.col("was").is_not_null())
    return int(blanked["home"].is_in(shown.implode()).sum())


@pytest.mark.parametrize("missing", ["category", "wildcard"])
@pytest.mark.parametrize("strata", [[], ["region"]])
def test_a_blank_cannot_be_read_off_another_member(missing: Any, strata: list[str]) -> None:
    keys = ["rooms", "tenure", "job"]
    roles = Roles(household="home", quasi_identifiers=keys, strata=strata)
    table = Table(homes(120), roles)
    step = mv.LocalSuppression(k=4, missing=missing)
    alone = step.apply(table.with_roles(Roles(quasi_identifiers=keys)), np.random.default_rng())
    outcome = step.apply(table, np.random.default_rng())
    after = outcome.table.frame
    assert sum(readable(table.frame, alone.table.frame, name) for name in ("rooms", "tenure")) > 0
    for name in ("rooms", "tenure"):
        assert readable(table.frame, after, name) == 0
        assert contradictions(after, name) == 0
    assert mv.Classes.of(outcome.table, keys, missing).k >= 4
    assert outcome.facts["household_columns"] == ["rooms", "tenure"]
    kept = mv.LocalSuppression(k=4, missing=missing, household_columns=[]).apply(
        table.with_roles(roles), np.random.default_rng()
    )
    assert sum(readable(table.frame, kept.table.frame, name) for name in ("rooms", "tenure")) > 0
