from __future__ import annotations

import polars as pl

import microveil as mv
from microveil.reports import summarize
from microveil.reports.page_steps import steps_section
from tests.reports.cases import (
    MakeRelease,
)


def test_a_recipe_without_requirements_is_not_called_safe(make_release: MakeRelease) -> None:
    verdict = summarize(make_release(k=None)).verdict

    assert verdict.tone == "open"
    assert "no requirement" in verdict.sentence


def test_columns_that_hold_a_release_back_are_named_together() -> None:
    frame = pl.DataFrame({"town": ["a"] * 4, "note": list("wxyz"), "shoe": [1, 2, 3, 4]})
    recipe = mv.Recipe(roles=mv.Roles(quasi_identifiers=["town"]), require=[mv.KAnonymity(k=2)])

    one = summarize(mv.run(recipe, frame.drop("shoe"))).verdict.sentence
    both = summarize(mv.run(recipe, frame)).verdict.sentence

    assert one.startswith("Column 'note' is still to be decided: give it a role")
    assert both.startswith("Columns 'note', 'shoe' are still to be decided: give each a role")


def test_k_is_said_in_words_unless_keys_come_back() -> None:
    frame = pl.DataFrame({"school": ["a", "a", "b", "b"] * 9, "years": [4, 4, 9, 9] * 9})
    roles = mv.Roles(quasi_identifiers=["school"], insensitive=["years"])
    recipe = mv.Recipe(roles=roles, require=[mv.KAnonymity(k=3)])
    (said,) = summarize(mv.run(recipe, frame), "public").requirements
    assert "at least 3 records that fit" in (said.plainly or "")

    left_out = recipe.model_copy(update={"steps": (mv.Drop(columns=["school"]),)})
    found = summarize(mv.run(left_out, frame), "internal").requirements
    assert [one.plainly for one in found] == [None] * len(found)


def test_steps_have_a_plain_name_and_only_columns_that_are_there() -> None:
    frame = pl.DataFrame({"id": range(8), "town": ["a", "b"] * 4, "age": [1, 2] * 4})
    roles = mv.Roles(identifiers=["id"], quasi_identifiers=["town", "age"])
    steps = [mv.Drop(columns=["id", "age"]), mv.LocalSuppression(k=2)]
    release = mv.run(mv.Recipe(roles=roles, steps=steps, require=[mv.KAnonymity(k=2)]), frame)
    summary = summarize(release, "public")
    assert summary.steps[1].columns == ("town",)
    assert summary.steps[1].on_keys
    assert "Local suppression" in str(steps_section(summary.steps))


def test_the_public_reads_what_a_limit_on_a_measure_promises() -> None:
    limit = {"measure": "class_sizes", "missing": "wildcard", "at_most": 0.5}
    recipe = mv.Recipe.parse({"roles": {"quasi_identifiers": ["town"]}, "require": [limit]})
    release = mv.run(recipe, pl.DataFrame({"town": ["a"] * 20}))
    (told,) = summarize(release, "public").requirements
    assert told.title == "Chance of the right record by class sizes at most 0.5"
    (own,) = summarize(release).requirements
    assert "missing=wildcard" in own.title
