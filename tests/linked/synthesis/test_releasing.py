from __future__ import annotations

from copy import deepcopy
from typing import Any

import polars as pl
import pytest

import microveil as mv
from tests.linked.synthesis.hospital import RECIPE, hospital


def recipe(**synthesize: Any) -> mv.LinkedRecipe:
    raw = deepcopy(RECIPE)
    raw["synthesize"] |= synthesize
    return mv.LinkedRecipe.parse(raw)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_rules_between_tables_hold_in_every_row_and_nothing_is_an_orphan(seed: int) -> None:
    made = mv.run_linked(recipe(), hospital(seed=seed), seed=seed).data
    visits = made["visits"].join(made["patients"], left_on="patient", right_on="id", how="left")
    assert visits.height == made["visits"].height > 0
    assert (visits["day"] <= visits["death"]).fill_null(value=True).all()
    labs = made["labs"].join(made["visits"], on="visit", suffix="_of_visit")
    assert labs.height == made["labs"].height > 0
    assert (labs["taken"] >= labs["day"]).all()
    assert (labs["patient"] == labs["patient_of_visit"]).all()
    assert set(made["visits"]["ward"]) <= set(made["wards"]["ward"])


def test_numbers_of_children_and_distances_are_like_the_original() -> None:
    before = hospital(250)
    made = mv.run_linked(recipe(), before, seed=5).data
    assert made["patients"].height == 250
    assert made["visits"].height == pytest.approx(before["visits"].height, rel=0.2)
    waits = made["labs"].join(made["visits"], on="visit").select(pl.col("taken") - pl.col("day"))
    assert waits.to_series().dt.total_days().is_between(0, 3).all()


def test_names_do_not_come_along_and_the_size_may_be_chosen() -> None:
    release = mv.run_linked(recipe(n_people=30), hospital(), seed=1)
    assert release.data["patients"].height == 30
    assert "name" not in release.data["patients"].columns
    assert release.releases["patients"].table.synthetic
    assert "n_left_out_by_rules" in release.to_dict()["synthesis"]


def test_the_same_seed_draws_the_same() -> None:
    first, second = (mv.run_linked(recipe(), hospital(), seed=4).data for _ in range(2))
    assert all(first[name].equals(second[name]) for name in first)


def test_households_are_drawn_above_their_members() -> None:
    people = pl.DataFrame({"id": range(60), "home": [i // 3 for i in range(60)], "age": range(60)})
    homes = pl.DataFrame({"home": range(20), "rooms": [1 + i % 4 for i in range(20)]})
    raw = {
        "tables": {"people": {}, "homes": {}},
        "links": ["people.home -> homes.home"],
        "people": {"table": "people", "key": "id"},
        "synthesize": {"wholes": ["homes"]},
    }
    made = mv.run_linked(
        mv.LinkedRecipe.parse(raw), {"people": people, "homes": homes}, seed=1
    ).data
    assert set(made["people"]["home"]) <= set(made["homes"]["home"])
    assert made["people"].group_by("home").len()["len"].max() == 3


def test_steps_and_requirements_are_refused() -> None:
    raw = deepcopy(RECIPE)
    raw["tables"]["visits"]["steps"] = [{"method": "drop", "columns": ["ward"]}]
    with pytest.raises(mv.InputError, match="take no steps and no requirements"):
        mv.run_linked(mv.LinkedRecipe.parse(raw), hospital(), seed=1)


def test_an_order_needs_a_parent_and_a_column() -> None:
    with pytest.raises(mv.InputError, match="has no parent, or no column"):
        mv.run_linked(recipe(order={"patients": "death"}), hospital(), seed=1)
