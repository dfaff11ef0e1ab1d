"""How many records of each stratum stay is settled first; parts draw what is left to be drawn."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.planning.methods.sample import SamplePlan, plan_sample, suits
from tests.planning.cases import course_of

FRAME = pl.DataFrame({"sex": ["f"] * 12 + ["m"] * 6 + [None] * 2, "w": [2.0] * 20, "id": range(20)})
ROLES = mv.Roles(strata=["sex"], weight="w")


def planned(folder: Path, share: float = 0.5, roles: mv.Roles = ROLES) -> SamplePlan:
    course = course_of(FRAME, folder, roles)
    return plan_sample(mv.Sample(share=share), 0, course, np.random.default_rng(0))


@pytest.mark.parametrize("size", [1, 3, 20])
def test_every_stratum_has_its_share_whatever_the_parts(size: int, tmp_path: Path) -> None:
    plan, rng = planned(tmp_path), np.random.default_rng(1)
    state = plan.start()
    parts = [
        plan.protect(mv.Table(part, ROLES), rng, state).table.frame
        for part in FRAME.iter_slices(size)
    ]
    found = pl.concat(parts)
    assert found["sex"].value_counts().sort("sex").rows() == [(None, 1), ("f", 6), ("m", 3)]
    assert found["id"].is_unique().all()
    assert set(found["w"]) == {4.0}
    assert state.tolist() == [[0, 0, 0], [0, 0, 0]]
    assert plan.facts == {
        "n_records": 20,
        "n_left_out": 10,
        "probability": 0.5,
        "n_strata": 3,
        "n_empty_strata": 0,
    }


def test_without_strata_all_records_are_one(tmp_path: Path) -> None:
    plan = planned(tmp_path, 0.25, mv.Roles())
    done = plan.protect(mv.Table(FRAME), np.random.default_rng(1), plan.start()).table
    assert done.height == 5
    assert set(done.frame["w"]) == {2.0}
    assert (plan.removes, plan.sequential, plan.opaque) == (True, True, True)


def test_partitions_share_out_what_is_to_be_drawn(tmp_path: Path) -> None:
    plan = planned(tmp_path)
    parts = [mv.Table(FRAME[:5], ROLES), mv.Table(FRAME[5:], ROLES)]
    tallies = np.stack([plan.tally(part) for part in parts])
    assert tallies.tolist() == [[0, 5, 0], [2, 7, 6]]
    starts = plan.starts(tallies, np.random.default_rng(3))
    assert sum(start[1] for start in starts).tolist() == [1, 6, 3]
    assert [start[0].tolist() for start in starts] == tallies.tolist()
    drawn = [
        plan.protect(part, np.random.default_rng(4), start.copy()).table.height
        for part, start in zip(parts, starts, strict=True)
    ]
    assert drawn == [int(start[1].sum()) for start in starts]


def test_a_table_without_rows_has_nothing_to_draw(tmp_path: Path) -> None:
    course = course_of(FRAME.clear(), tmp_path)
    plan = plan_sample(mv.Sample(share=0.5), 0, course, np.random.default_rng(0))
    assert plan.facts["n_records"] == plan.facts["n_strata"] == 0


def test_households_and_recalibration_need_every_record() -> None:
    one = mv.Sample(share=0.5)
    assert suits(one, mv.Roles(weight="w"))
    assert not suits(one.model_copy(update={"recalibrate": True}), mv.Roles(weight="w"))
    for roles in (mv.Roles(household="id"), mv.Roles(entity="id")):
        assert not suits(one.model_copy(update={"whole": True}), roles)
        assert suits(one.model_copy(update={"whole": False}), roles)
