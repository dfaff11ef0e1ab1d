"""A tally adds up what was done to each part, so that parts are told of as one table."""

from __future__ import annotations

import polars as pl
import pytest

import microveil as mv
from microveil.app.file_runs.tally import Tally
from microveil.planning.plan import RowByRow, StepPlan

ROLES = mv.Roles(identifiers=["name"], quasi_identifiers=["age"], insensitive=["pay"])
STEPS = (mv.Drop(columns=["name"]), mv.Round(columns=["age"], base=10))
RECIPE = mv.Recipe(roles=ROLES, steps=STEPS)
FRAME = pl.DataFrame(
    {"name": ["a", "b", "c", "d"], "age": [30, 31, None, 42], "pay": [1.5, None, 2.5, 3.5]}
)


def tally_of(recipe: mv.Recipe = RECIPE) -> Tally:
    nobody = mv.Table(FRAME, ROLES)
    plans: list[StepPlan] = [
        RowByRow(step, place, step.touches(nobody)) for place, step in enumerate(recipe.steps)
    ]
    return Tally(recipe, plans, seed=1)


def worked(*parts: pl.DataFrame) -> Tally:
    tally = tally_of()
    for number, part in enumerate(parts):
        tally.add(part, tally.protect(part, number))
    return tally


def test_parts_add_up_to_what_the_whole_table_says() -> None:
    parts, whole = worked(FRAME[:1], FRAME[1:]), mv.run(RECIPE, FRAME, seed=1)
    assert (parts.n_records, parts.n_released) == (4, 4)
    assert [one.to_dict() for one in parts.facts] == [one.to_dict() for one in whole.facts]
    expected = whole.utility["cell_changes"]
    changes = parts.utility()
    assert changes is not None
    assert changes.value == pytest.approx(expected.value)
    assert changes.parts["kept"] == pytest.approx(expected.parts["kept"])


def test_what_leaves_is_what_the_recipe_allows() -> None:
    tally = tally_of()
    done = tally.protect(FRAME, 0)
    assert tally.add(FRAME, done).columns == tally.columns == ["age", "pay"]
    assert tally.roles.identifiers == ()
    assert tally.roles.quasi_identifiers == ("age",)
    assert not tally.sequential


def test_a_table_without_rows_lost_nothing() -> None:
    for empty in (tally_of(), worked(FRAME.clear())):
        changes = empty.utility()
        assert changes is not None
        assert (empty.n_records, changes.value) == (0, 0)
    assert [one.method for one in empty.facts] == ["drop", "round"]


def test_two_plans_of_one_step_are_told_as_one() -> None:
    step = mv.Mask(columns=["name", "town"], pattern="X")
    frame = pl.DataFrame({"name": ["a", None], "town": ["b", "c"]})
    recipe = mv.Recipe(roles=mv.Roles(quasi_identifiers=["name", "town"]), steps=[step])
    plans = [
        RowByRow(step.model_copy(update={"columns": (name,)}), 0, (name,)) for name in step.columns
    ]
    tally = Tally(recipe, plans, seed=1)
    tally.add(frame, tally.protect(frame, 0))
    assert len(tally.facts) == 1
    assert tally.facts[0].facts["n_changed"] == {"name": 1, "town": 2}
