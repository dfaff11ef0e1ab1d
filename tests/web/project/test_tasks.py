"""What jobs do, done here: states are kept, effects are the library's, files only if safe."""

from __future__ import annotations

from pathlib import Path

import pytest

from microveil import app
from microveil.app.advising import mends_for
from microveil.errors import GoalNotReachedError, InputError
from microveil.methods import (
    AdditiveNoise,
    Decompose,
    Drop,
    LocalSuppression,
    OptimalGeneralization,
)
from microveil.methods.parts.streams import Chance
from microveil.privacy import KAnonymity, LDiversity
from microveil.progress import silent
from microveil.recipes import Recipe
from microveil.web.project import tasks
from microveil.web.project.plan import ProjectPlan, state_keys
from microveil.web.project.states import States
from tests.web.project.cases import PEOPLE, ROLES, recipe_of


def test_steps_are_taken_once_and_say_what_the_library_says(data: Path) -> None:
    recipe = recipe_of(Drop(columns=("name",)), LocalSuppression(k=3))
    states, chance = States(data.parent), Chance.of(None, PEOPLE)
    first = tasks.apply_steps(data, states, recipe, chance, silent)
    keys = state_keys(recipe, data.name)
    assert list(first.effects) == keys
    release = app.run(recipe, PEOPLE)
    last = first.effects[keys[-1]]
    assert (last.k, last.n_records) == (release.risk.k, release.table.height)
    assert last.loss == pytest.approx(release.cell_changes.value)
    assert states.frame(keys[-1]).equals(release.table.frame)
    longer = recipe_of(*recipe.steps, Drop(columns=("cost",)))
    again = tasks.apply_steps(data, states, longer, chance, silent, known=keys)
    assert list(again.effects) == state_keys(longer, data.name)[-1:]
    # Kept by a job whose answer was lost: what they did is worked out again, not taken again.
    lost = tasks.apply_steps(data, states, recipe, chance, silent)
    for key in keys:
        assert lost.effects[key].to_dict() == first.effects[key].to_dict()
        assert lost.effects[key].facts == first.effects[key].facts


def test_chance_is_the_same_whether_earlier_steps_are_kept_or_taken_now(
    data: Path, tmp_path: Path
) -> None:
    recipe = recipe_of(Drop(columns=("name",)), AdditiveNoise(columns=("cost",), sd_share=0.1))
    chance = Chance.of(7, PEOPLE)
    whole = States(tmp_path / "whole")
    whole.folder.mkdir()
    tasks.apply_steps(data, whole, recipe, chance, silent)
    parts = States(data.parent)
    for n in (1, 2):
        some = recipe.model_copy(update={"steps": recipe.steps[:n]})
        tasks.apply_steps(data, parts, some, chance, silent)
    key = state_keys(recipe, data.name)[-1]
    assert whole.frame(key).equals(parts.frame(key))
    assert whole.frame(key).equals(app.run(recipe, PEOPLE, seed=7).table.frame)


def test_a_search_shows_its_lattice_and_another_node_can_be_taken(data: Path) -> None:
    decades = {"age": {"hierarchy": "intervals", "width": [10, 50]}}
    search = OptimalGeneralization.parse(
        {"method": "optimal_generalization", "k": 3, "suppression_share": 0.5,
         "hierarchies": decades}
    )  # fmt: skip
    recipe, states = recipe_of(search), States(data.parent)
    found = tasks.apply_steps(data, states, recipe, Chance.of(None, PEOPLE), silent)
    view = next(iter(found.lattices.values()))
    assert [node.taken for node in view.nodes if node.best] == [True]
    other = next(node for node in view.nodes if node.solution and not node.taken)
    picked = recipe_of(search.model_copy(update={"levels": dict(other.levels)}))
    after = tasks.apply_steps(data, states, picked, Chance.of(None, PEOPLE), silent)
    view = next(iter(after.lattices.values()))
    assert [node.levels for node in view.nodes if node.taken] == [other.levels]
    assert [node.best for node in view.nodes if node.taken] == [False]


def test_a_release_is_refused_while_a_requirement_fails_and_mends_help(data: Path) -> None:
    recipe = recipe_of(Drop(columns=("name",)))
    wanted = {"folder": data.parent, "name": "released.csv", "source": "patients.csv"}
    chance, states = Chance.of(None, PEOPLE), States(data.parent)
    made = tasks.make_release(data, states, recipe, chance, wanted, silent)
    assert not made.holds
    assert made.files == {}
    assert not (data.parent / "released.csv").exists()
    for step in mends_for(made.checks[0].model, recipe):
        mended = recipe.with_steps(step)
        checked = tasks.make_release(data, states, mended, chance, {"name": None}, silent)
        assert checked.holds, step.kind()


def test_a_secret_that_is_given_away_can_be_mended_too(data: Path) -> None:
    require = (KAnonymity(k=3), LDiversity(l=2, column="disease"))
    recipe = recipe_of(Drop(columns=("name",))).model_copy(update={"require": require})
    chance, states = Chance.of(None, PEOPLE), States(data.parent)
    made = tasks.make_release(data, states, recipe, chance, {"name": None}, silent)
    broken = next(check for check in made.checks if check.model == "l_diversity")
    step = next(iter(mends_for(broken.model, recipe)))
    mended = recipe.with_steps(step)
    assert tasks.make_release(data, states, mended, chance, {"name": None}, silent).holds


def test_a_column_nobody_decided_about_stops_the_release(data: Path) -> None:
    roles = ROLES.without(["cost"])
    recipe = Recipe(roles=roles, steps=(Drop(columns=("name",)),))
    chance, states = Chance.of(None, PEOPLE), States(data.parent)
    made = tasks.make_release(data, states, recipe, chance, {"name": "a.csv"}, silent)
    assert made.undecided == ("cost",)
    assert not made.holds
    kept = ProjectPlan.of(recipe).keep_column("cost").recipe
    assert tasks.make_release(data, states, kept, chance, {"name": None}, silent).holds


def test_a_table_that_is_split_is_released_in_parts(data: Path, tmp_path: Path) -> None:
    split = Decompose(groups={"where": ("sex", "age", "postcode"), "what": ("disease",)}, l=2)
    recipe = Recipe(roles=ROLES.without(["name"]), steps=(Drop(columns=("name",)), split))
    recipe = recipe.model_copy(update={"roles": ROLES})
    folder = tmp_path / "out"
    folder.mkdir()
    wanted = {"folder": folder, "name": "released.csv"}
    states, chance = States(data.parent), Chance.of(3, PEOPLE)
    tasks.apply_steps(data, states, recipe, chance, silent)
    made = tasks.make_release(data, states, recipe, chance, wanted, silent)
    expected = app.run(recipe, PEOPLE, seed=3)
    assert made.n_records == expected.table.height


def test_an_impossible_goal_is_told_in_a_sentence(data: Path) -> None:
    recipe = recipe_of(
        OptimalGeneralization(k=3, max_levels=dict.fromkeys(ROLES.quasi_identifiers, 0))
    )
    recipe = recipe.model_copy(update={"steps": (Drop(columns=("name",)), *recipe.steps)})
    found = tasks.apply_steps(data, States(data.parent), recipe, Chance.of(None, PEOPLE), silent)
    assert list(found.effects) == state_keys(recipe, data.name)[:2]  # the step before it was taken
    with pytest.raises(GoalNotReachedError) as told:
        app.run(recipe, PEOPLE)
    assert found.problem == told.value.message


def test_a_bad_file_is_told_in_a_sentence(tmp_path: Path) -> None:
    bad = tmp_path / "bad.xlsx"
    bad.write_bytes(b"PK\x03\x04 this is no workbook")
    with pytest.raises(InputError):
        tasks.open_file(bad, tmp_path / "t.arrow", {}, silent)
