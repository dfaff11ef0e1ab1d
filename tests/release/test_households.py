"""Members of a household who no longer agree are warned about."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import microveil as mv

STEPS: dict[str, mv.Method] = {
    "local_suppression": mv.LocalSuppression(k=8),
    "pram": mv.Pram(columns=["region", "rooms"], retention=0.6),
    "generalize": mv.Generalize(
        column="rooms", hierarchy={"hierarchy": "intervals", "width": 3}, level=1
    ),
    "group_rare": mv.GroupRare(columns=["region"], min_count=60),
    "microaggregate": mv.Microaggregate(columns=["rent"], k=3),
    "rank_swap": mv.RankSwap(columns=["rent"], range_share=0.1),
    "additive_noise": mv.AdditiveNoise(columns=["rent"], sd_share=0.1),
    "optimal_generalization": mv.OptimalGeneralization(k=8, suppression_share=0.2),
    "suppress_records": mv.SuppressRecords(k=8),
    "mondrian": mv.Mondrian(k=8),
    "local_recoding": mv.LocalRecoding(k=8),
}
ROLES = mv.Roles(quasi_identifiers=["region", "rooms", "sex"], household="home")


def homes(n: int = 120) -> pl.DataFrame:
    rng = np.random.default_rng(3)
    size = rng.integers(1, 5, n)
    total = int(size.sum())
    return pl.DataFrame(
        {
            "home": np.repeat(np.arange(n), size),
            "region": np.repeat(rng.choice(list("ABCDEFGHIJ"), n), size),
            "rooms": np.repeat(rng.integers(1, 9, n), size),
            "rent": np.repeat(rng.integers(300, 2_000, n).astype(float), size),
            "sex": rng.choice(["f", "m"], total),
        }
    )


def released(step: mv.Method, **more: object) -> mv.Release:
    plain: dict[str, Any] = {"roles": ROLES, "steps": [step], "undeclared": "keep", **more}
    return mv.run(mv.Recipe(**plain), homes(), seed=1)


@pytest.mark.parametrize("name", list(STEPS))
def test_members_agree_and_no_blank_can_be_read_off_another(name: str) -> None:
    release = released(STEPS[name], keep=["home"])
    per_home = release.table.frame.group_by("home").agg(
        pl.col("region", "rooms", "rent").n_unique()
    )
    assert per_home.select(pl.col("region", "rooms", "rent").max()).row(0) == (1, 1, 1)
    assert not any("members of a household" in one for one in release.warnings)


def test_labels_that_differ_within_a_household_are_warned_about() -> None:
    # With no household columns, every record is changed by itself.
    apart = mv.Pram(columns=["region", "rooms"], retention=0.6, household_columns=[])
    release = released(apart, keep=["home"])
    told = [one for one in release.warnings if "members of a household" in one]
    assert {one.split("'")[1] for one in told} <= {"region", "rooms"}
    assert told
    without = mv.run(
        mv.Recipe(
            roles=ROLES,
            steps=[mv.Drop(columns=["home"]), apart],
            undeclared="keep",
        ),
        homes(),
        seed=1,
    )
    assert not any("members of a household" in one for one in without.warnings)


def test_an_id_of_households_leaves_only_on_purpose() -> None:
    with pytest.raises(mv.InputError, match="household"):
        _ = released(mv.Mondrian(k=8)).data
    assert "home" in released(mv.Mondrian(k=8), keep=["home"]).data.columns
