from __future__ import annotations

import polars as pl
import pytest

import microveil as mv
from microveil.errors import InputError
from tests.linked.test_release import release
from tests.linked.test_running import small


def test_a_recipe_that_fits_has_no_problems() -> None:
    frames, raw = small()
    recipe = mv.LinkedRecipe.parse(raw)
    assert mv.check_linked(recipe).fits
    found = mv.check_linked(recipe, frames)
    assert (found.problems, found.n_steps, found.n_requirements) == ((), 0, 1)


def test_problems_of_all_tables_are_told_at_once() -> None:
    frames, raw = small()
    raw["tables"]["people"]["steps"] = [{"method": "drop", "columns": ["nmae"]}]
    raw["tables"]["visits"]["roles"] = {"quasi_identifiers": ["ward"]}
    problems = mv.check_linked(mv.LinkedRecipe.parse(raw), frames).problems
    assert len(problems) == 2
    assert problems[0].startswith("Table 'people': steps.0.drop: No column 'nmae'")
    assert problems[1].startswith("Table 'visits': Column 'note' is undeclared")


def test_orphans_and_unknown_columns_of_people_are_problems() -> None:
    frames, raw = small()
    frames["visits"] = frames["visits"].with_columns(person=pl.lit(9, pl.Int64))
    assert "orphans" in mv.check_linked(mv.LinkedRecipe.parse(raw), frames).problems[0]
    frames, raw = small()
    raw["people"]["quasi_identifiers"] = ["visits.wrd"]
    assert "'wrd'" in mv.check_linked(mv.LinkedRecipe.parse(raw), frames).problems[0]


def test_the_view_of_people_is_the_same_before_and_after() -> None:
    frames, raw = small()
    recipe, made = mv.LinkedRecipe.parse(raw), release()
    assert mv.people_view(recipe, frames).frame.equals(made.view_before.frame)
    after = mv.people_view(recipe, made.data)
    assert after.frame.sort(after.columns).equals(made.view.frame.sort(made.view.columns))
    assert mv.assess(after).k == made.risk.k == 2
    without = {name: frame.drop("sex", strict=False) for name, frame in made.data.items()}
    assert mv.people_view(recipe, without).columns == ["visits.ward"]
    with pytest.raises(InputError, match="no table 'visits'"):
        mv.people_view(recipe, {"people": frames["people"]})


def test_what_is_undecided_may_not_leave() -> None:
    frames, raw = small()
    raw["people"]["require"] = []
    raw["tables"]["visits"]["roles"] = {"quasi_identifiers": ["ward"]}
    made = mv.run_linked(mv.LinkedRecipe.parse(raw), frames)
    assert "it may not leave" in repr(made)
    assert "'note' is undeclared" in repr(made)
