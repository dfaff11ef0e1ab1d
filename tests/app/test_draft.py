from __future__ import annotations

import polars as pl

import microveil as mv


def test_a_draft_makes_the_release_that_its_recipe_makes(
    patients: pl.DataFrame, roles: mv.Roles
) -> None:
    draft = (
        mv.Draft.start(patients, roles, seed=3)
        .apply(mv.Drop(columns=["name"]))
        .apply(mv.Permute(columns=["age"]))
    )
    again = mv.run(draft.recipe, patients, seed=3)
    assert draft.release().table.frame.equals(again.table.frame)


def test_undo_gives_the_draft_before_the_step(patients: pl.DataFrame, roles: mv.Roles) -> None:
    start = mv.Draft.start(patients, roles)
    changed = start.apply(mv.Drop(columns=["age", "zip"]))
    assert (start.risk().k, changed.risk().k, changed.undo().risk().k) == (1, 3, 1)
    assert changed.undo().recipe == start.recipe
    assert start.undo() is start


def test_requirements_of_a_draft_are_checked(patients: pl.DataFrame, roles: mv.Roles) -> None:
    draft = mv.Draft.start(patients, roles).require(mv.KAnonymity(k=3))
    assert not draft.release().holds
    assert draft.apply(mv.Drop(columns=["age", "zip"])).release().holds


def test_utility_of_a_draft_starts_at_nothing_lost(patients: pl.DataFrame, roles: mv.Roles) -> None:
    assert mv.Draft.start(patients, roles).utility()["cell_changes"].value == 0


def test_a_draft_shows_no_seed(patients: pl.DataFrame) -> None:
    assert "918273645" not in repr(mv.Draft.start(patients, seed=918273645))
