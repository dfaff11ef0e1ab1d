"""Steps that depend on classes alone are planned on the frequency table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.errors import InputError
from microveil.planning.course import Course
from microveil.planning.methods.by_classes import counts_records, plan_by_classes
from tests.planning.cases import course_of, engine_of

RNG = np.random.default_rng(0)
FRAME = pl.DataFrame(
    {"sex": ["f", "f", "f", "m", None], "town": ["a", "a", "b", "b", "b"], "n": [1, 2, 3, 4, 5]}
)
ROLES = mv.Roles(quasi_identifiers=["sex", "town"], sensitive=["n"])


def planned(step: mv.Method, folder: Path, roles: mv.Roles = ROLES) -> Any:
    return plan_by_classes(step, 2, course_of(FRAME, folder, roles), RNG)


def test_small_classes_go_wherever_their_rows_are(tmp_path: Path) -> None:
    (plan,) = planned(mv.SuppressRecords(k=2), tmp_path)
    assert (plan.position, plan.columns, plan.kind) == (2, ("sex", "town"), "from counts")
    state = plan.start()
    parts = [
        plan.protect(mv.Table(part, ROLES), RNG, state).table.frame for part in FRAME.iter_slices(2)
    ]
    assert pl.concat(parts)["n"].to_list() == [1, 2]
    assert plan.facts["n_suppressed"] == 3


def test_each_column_is_counted_by_itself(tmp_path: Path) -> None:
    step = mv.GroupRare(columns=["sex", "town"], min_count=3, label="rare")
    plans = planned(step, tmp_path)
    assert [plan.columns for plan in plans] == [("sex",), ("town",)]
    table = mv.Table(FRAME)
    for plan in plans:
        table = plan.protect(table, RNG, plan.start()).table
    assert table.frame["sex"].to_list() == ["f", "f", "f", "rare", None]
    assert table.frame["town"].to_list() == ["rare", "rare", "b", "b", "b"]


def test_models_strata_and_targets_are_read_too(tmp_path: Path) -> None:
    roles = mv.Roles(quasi_identifiers=["sex"], sensitive=["n"], strata=["town"])
    step = mv.Mondrian(k=2, models=[mv.LDiversity(l=2, column="n")])
    (plan,) = planned(step, tmp_path, roles)
    assert plan.columns == ("sex", "n")
    (plan,) = planned(step.model_copy(update={"target": "town"}), tmp_path, roles)
    assert plan.columns == ("sex", "n", "town")
    (plan,) = planned(mv.LocalSuppression(k=2, by_strata=True), tmp_path, roles)
    assert set(plan.columns) == {"sex", "town"}


@pytest.mark.parametrize(
    "roles",
    [
        ROLES.model_copy(update={"sensitive": (), "entity": "n"}),
        ROLES.model_copy(update={"sensitive": (), "weight": "n"}),
    ],
)
def test_where_people_or_weights_count_classes_do_not_tell_all(
    roles: mv.Roles, tmp_path: Path
) -> None:
    step = mv.Mondrian(k=2, models=[mv.KAnonymity(k=2)])
    assert planned(step, tmp_path, roles) is None


def test_other_steps_and_mappings_are_not_planned_here(tmp_path: Path) -> None:
    assert planned(mv.Permute(columns=["n"]), tmp_path) is None
    assert planned(mv.Pseudonymize(columns=["n"], mapping=True), tmp_path) is None
    assert planned(mv.Pseudonymize(columns=["n"]), tmp_path) is not None


def test_a_hierarchy_by_frequency_needs_the_records_of_each_value(tmp_path: Path) -> None:
    by_frequency = {"hierarchy": "frequency", "min_counts": [3]}
    step = mv.Generalize.parse({"column": "town", "hierarchy": by_frequency, "level": 1})
    assert counts_records(step)
    assert not counts_records(mv.Mondrian(k=2))
    assert counts_records(mv.Mondrian.parse({"k": 2, "hierarchies": {"town": by_frequency}}))
    (plan,) = planned(step, tmp_path)
    after = plan.protect(mv.Table(FRAME), RNG, plan.start()).table.frame["town"]
    assert (
        after.to_list()
        == mv.run(mv.Recipe(steps=[step], undeclared="keep"), FRAME).data["town"].to_list()
    )


def test_planning_on_all_records_needs_their_memory(tmp_path: Path) -> None:
    engine = engine_of(pl.concat([FRAME] * 100), tmp_path, memory_limit=24 * 500 - 1)
    course = Course(engine, engine.roles)
    step = mv.Generalize.parse(
        {"column": "town", "hierarchy": {"hierarchy": "frequency", "min_counts": [3]}, "level": 1}
    )
    with pytest.raises(InputError, match="Planning step 'generalize' would take"):
        plan_by_classes(step, 0, course, RNG)
