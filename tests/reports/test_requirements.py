from __future__ import annotations

import polars as pl

import microveil as mv
from microveil.reports import summarize
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
