"""What labels cover is known from the steps that made them, whether or not rows are paired."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.pairs.coverings import read_coverings
from microveil.pairs.reading import Reading
from microveil.tables import Table

TREE = {"tree": {"health": ["nurse", "doctor"], "food": ["cook", "waiter"], "office": ["clerk"]}}
WIDE = {"hierarchy": "intervals", "width": 10}
STEPS: dict[str, list[dict[str, Any]]] = {
    "tree": [{"method": "generalize", "column": "job", "hierarchy": TREE, "level": 1}],
    "intervals": [{"method": "generalize", "column": "age", "hierarchy": WIDE, "level": 1}],
    "ends, then intervals": [
        {"method": "top_bottom_code", "columns": ["age"], "top": 60, "bottom": 30},
        {"method": "generalize", "column": "age", "hierarchy": WIDE, "level": 1},
    ],
    "rare": [{"method": "group_rare", "columns": ["job"], "min_count": 40}],
}
MEASURES = ["distribution_distance", "generalization_loss", "ambiguity"]


def people(n: int = 300) -> pl.DataFrame:
    rng = np.random.default_rng(7)
    jobs = ["nurse", "doctor", "cook", "waiter", "clerk"]
    return pl.DataFrame(
        {
            "job": rng.choice(jobs, n, p=[0.4, 0.1, 0.3, 0.1, 0.1]),
            "age": rng.integers(18, 90, n),
            "ill": rng.choice(["a", "b"], n),
        }
    )


def recipe(steps: str, *require: dict[str, Any]) -> mv.Recipe:
    roles = {"quasi_identifiers": ["job", "age"], "sensitive": ["ill"]}
    return mv.Recipe.parse({"roles": roles, "steps": STEPS[steps], "require": list(require)})


@pytest.mark.parametrize("steps", list(STEPS))
@pytest.mark.parametrize("measure", MEASURES)
def test_one_number_by_every_door_and_in_any_order(measure: str, steps: str) -> None:
    asked = recipe(steps, {"measure": measure, "at_most": 1})
    release = mv.run(asked, people(), seed=1)
    mixed = release.table.frame.sample(fraction=1, shuffle=True, seed=3)
    kind = mv.UTILITY_MEASURES[measure]
    found = [
        release.checks[0].achieved,
        mv.compare(people(), release.table, recipe=asked, measures=[measure])
        .utility[measure]
        .value,
        mv.compare(people(), mixed, recipe=asked, measures=[measure]).utility[measure].value,
        kind().measure(release.original, release.table, recipe=asked).value,
    ]
    assert found == pytest.approx([found[0]] * 4, abs=1e-12)


def test_in_parts_labels_stand_for_what_they_do_in_memory(tmp_path: Path) -> None:
    asked = recipe("tree", {"measure": "distribution_distance", "columns": ["job"], "at_most": 1})
    people().write_parquet(tmp_path / "people.parquet")
    reached = [
        mv.run_file(
            asked, tmp_path / "people.parquet", tmp_path / f"{parts}.parquet", in_parts=parts
        )
        .checks[0]
        .achieved
        for parts in (True, False)
    ]
    assert reached[0] == pytest.approx(reached[1])
    assert 0 < reached[0] < 0.5


def test_a_tree_before_synthesis_is_still_a_tree() -> None:
    asked = mv.Recipe.parse(
        {**recipe("tree").to_dict(), "steps": [*STEPS["tree"], {"method": "synthesize"}]}
    )
    release = mv.run(asked, people(), seed=1)
    far = mv.compare(people(), release.table, recipe=asked, measures=["distribution_distance"])
    assert far.utility["distribution_distance"].value < 0.3


def test_columns_that_no_step_explains_are_left_to_their_text() -> None:
    original = Table(people())
    released = Table(people().with_columns(job=pl.lit("x")))
    assert read_coverings(Reading(original, released), ["job"]) == {}
    assert read_coverings(None, ["job"]) == {}
    stars = Table(people().with_columns(job=pl.lit("*")))
    tree = mv.GeneralizationLoss(hierarchies={"job": TREE}).hierarchies
    (found,) = read_coverings(Reading(original, stars, hierarchies=tree), ["job"]).values()
    assert found.sizes.tolist() == [5]
