from __future__ import annotations

import numpy as np
import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.methods.swap_records.step import SwapRecords
from tests.methods.swap_records.cases import outcome, people, step, tables


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
