"""Steps are taken from the last state that is kept, and draw as they would in one go."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl

from microveil import app
from microveil.methods import Decompose, Drop, Permute
from microveil.methods.parts.streams import Chance
from microveil.recipes import Recipe
from microveil.tables import Roles, Table
from microveil.web.project.plan import state_keys
from microveil.web.project.states import States
from microveil.web.project.walk import Walk

FRAME = pl.DataFrame({"name": list("abcdef"), "x": range(6), "y": ["p", "q"] * 3})
ROLES = Roles(identifiers=["name"], quasi_identifiers=["x"], sensitive=["y"])


def walk(folder: Path, *steps: Any) -> Walk:
    recipe = Recipe(roles=ROLES, steps=steps)
    original = Table(FRAME, ROLES)
    keys = state_keys(recipe, "data")
    return Walk(recipe, original, Chance.of(5, FRAME), States(folder), keys)


DROP, MIX = Drop(columns=["name"]), Permute(columns=["x"])


def test_what_is_kept_is_not_taken_again(tmp_path: Path) -> None:
    first = walk(tmp_path, DROP)
    assert first.n_kept == 0
    first.take()
    again = walk(tmp_path, DROP, MIX)
    assert again.n_kept == 1
    assert again.steps.table.columns == ["x", "y"]
    assert len(again.steps.outcomes) == 1
    found = again.to_the_end()
    assert len(found.outcomes) == 2
    assert walk(tmp_path, DROP, MIX).n_kept == 2


def test_chance_is_that_of_a_run_in_one_go(tmp_path: Path) -> None:
    walk(tmp_path, DROP).take()
    table = walk(tmp_path, DROP, MIX).to_the_end().table
    whole = app.run(Recipe(roles=ROLES, steps=(DROP, MIX)), FRAME, seed=5)
    assert table.frame.equals(whole.table.frame)


def test_a_table_is_split_after_all_other_steps(tmp_path: Path) -> None:
    split = Decompose(groups={"keys": ["x"], "secrets": ["y"]})
    found = walk(tmp_path, split, DROP)
    assert found.take().table.columns == FRAME.columns
    done = found.to_the_end().finish()
    assert "y" not in done.table.columns
    assert "name" not in done.table.columns
    assert set(done.outcomes[0].parts) == {"secrets"}
    assert done.joined is not None


def test_outcomes_hold_no_table_of_their_own(tmp_path: Path) -> None:
    found = walk(tmp_path, DROP, MIX)
    found.to_the_end()
    assert all(outcome.table is found.steps.original for outcome in found.steps.outcomes)
