"""Tasks: what jobs do in their own process, each a use case on files in a private folder."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import polars as pl

from microveil import app
from microveil.app import Inspection
from microveil.app.advising import Advice, Goal, advise
from microveil.app.effects import Effect, effect_of
from microveil.app.running import check_requirements, finish, read_by_recipe
from microveil.app.suggesting import Audience
from microveil.errors import InputError
from microveil.files import Labels, read, read_labelled
from microveil.files.columns.column_reading import Reading
from microveil.files.columns.retyping import retype
from microveil.methods.parts.lattice_release import LatticeMethod
from microveil.methods.parts.streams import Chance
from microveil.progress import Progress
from microveil.recipes import Recipe
from microveil.release import Release
from microveil.tables import Door, Roles, Table
from microveil.web.project.comparing import PairView, pair_view
from microveil.web.project.databases import Login, tables_in
from microveil.web.project.examples import EXAMPLES
from microveil.web.project.lattice import LatticeView, Surroundings, lattice_view, surroundings
from microveil.web.project.plan import state_keys
from microveil.web.project.registries import RegistryUse, compare_release
from microveil.web.project.releasing import Made, make_files
from microveil.web.project.risk_view import RiskView, risk_view
from microveil.web.project.saved import SavedProject
from microveil.web.project.states import States, read_frame, write_frame
from microveil.web.project.walk import Walk

SEARCH_SECONDS = 40.0
"""Seconds that a search for recipes may take."""


@dataclass(frozen=True)
class Opened:
    """A file that was read: what its columns are, and which roles they may have."""

    n_records: int
    types: Mapping[str, str]
    inspection: Inspection
    labels: Labels
    reading: Reading = field(default_factory=Reading)
    """How the columns were read: as asked for, and dates as they are written."""


@dataclass(frozen=True)
class Applied:
    """What taking the steps of a recipe found out, by the name of each state."""

    effects: Mapping[str, Effect]
    lattices: Mapping[str, LatticeView]
    problem: str = ""
    """Why a step could not be taken; what those before it did is known all the same."""


def open_file(source: Path, target: Path, options: Mapping[str, Any], progress: Progress) -> Opened:
    """Read a file, look it over, and keep it where jobs find it."""
    progress(0, 3, "read")
    frame, labels = read_labelled(source, **options)
    return _keep(frame, labels, target, progress, Reading.of_options(options))


def list_tables(login: Login, progress: Progress) -> list[str]:
    """Names of a database's tables."""
    progress(0, 1, "read")
    return tables_in(login)


def open_table(
    login: Login, target: Path, options: Mapping[str, Any], progress: Progress
) -> Opened:
    """Read a table of a database, like a file."""
    progress(0, 3, "read")
    frame = read(login.source, **options)
    return _keep(frame, Labels(), target, progress, Reading.of_options(options))


def open_example(name: str, target: Path, progress: Progress) -> Opened:
    """Make an example's data, and look them over like a file's."""
    progress(0, 3, "make")
    return _keep(EXAMPLES[name](), Labels(), target, progress)


def open_frame(project: SavedProject, target: Path, progress: Progress) -> Opened:
    """Unpack the data of a project file."""
    frame = project.frame()
    if frame is None:
        raise InputError("This project file holds no data.")
    return _keep(frame, Labels(), target, progress, project.reading)


def _keep(
    frame: pl.DataFrame,
    labels: Labels,
    target: Path,
    progress: Progress,
    said: Reading | None = None,
) -> Opened:
    """Look a table over, read dates as they are written, and keep it where jobs find it."""
    progress(1, 3, "inspect")
    looked, asked = app.inspect(frame, labels=labels), Reading() if said is None else said
    found = {name: one for name, one in looked.reading.columns.items() if name not in asked.columns}
    frame = retype(frame, found)
    progress(2, 3, "keep")
    write_frame(frame, target)
    types = {name: str(dtype) for name, dtype in frame.schema.items()}
    return Opened(frame.height, types, looked, labels, asked.with_columns(found))


def apply_steps(
    data: Path,
    states: States,
    recipe: Recipe,
    chance: Chance,
    progress: Progress,
    known: Collection[str] = (),
) -> Applied:
    """Take the steps that were not taken yet, keep each state, and say what each one means.

    A state that was kept by a job that failed, was ended or made a release is looked at again,
    unless it is among the ``known``.
    """
    original = read_by_recipe(recipe, Table(read_frame(data)))
    walk = Walk(recipe, original, chance, states, state_keys(recipe, data.name))
    effects: dict[str, Effect] = {}
    lattices: dict[str, LatticeView] = {}
    if walk.keys[0] not in known:
        effects[walk.keys[0]] = effect_of(original, original, recipe.missing_keys)
    for place, key in enumerate(walk.keys[1:]):
        if place < walk.n_kept and key in known:
            continue
        step = walk.steps.aimed_step(place)
        progress(place, len(recipe.steps), step.kind())
        try:
            after = walk.outcome(place)
        except InputError as error:
            return Applied(effects, lattices, error.message)
        effects[key] = effect_of(
            original, after.table, recipe.missing_keys, after.facts, recipe.after_steps(place + 1)
        )
        if isinstance(step, LatticeMethod) and original.height:
            before = states.load(walk.keys[place]).table if place else original
            lattices[key] = _lattice(step, before, after.facts)
    return Applied(effects, lattices)


def _lattice(step: LatticeMethod, before: Table, facts: Mapping[str, Any]) -> LatticeView:
    """The whole lattice, whichever node was picked: another one can be picked next."""
    return lattice_view(step.model_copy(update={"levels": {}}).search(before), facts.get("levels"))


def look_at_node(
    data: Path,
    states: States,
    recipe: Recipe,
    place: int,
    levels: Mapping[str, int],
    progress: Progress,
) -> Surroundings:
    """Look at one generalisation of a search and at its neighbours."""
    progress(0, 1, "nodes")
    step = recipe.steps[place]
    if not isinstance(step, LatticeMethod):
        raise InputError("This step searches no lattice.")
    keys = state_keys(recipe, data.name)
    before = (
        states.load(keys[place]).table if place else read_by_recipe(recipe, Table(read_frame(data)))
    )
    aimed = step.toward(recipe.models, recipe.missing_keys)
    # One check is enough to learn the lattice; the nodes asked for are looked at one by one.
    narrow = {"levels": {}, "node": 1, "strategy": "best_first", "max_checks": 1}
    return surroundings(aimed.model_copy(update=narrow).search(before), levels)


def assess_risk(
    data: Path, states: States, key: str | None, roles: Roles, recipe: Recipe, progress: Progress
) -> RiskView:
    """Measure the risk of the data, or of a state of them."""
    table = Table(read_frame(data), roles) if key is None else states.load(key).table
    shown = ["individual_risk"]  # by record, as bars
    found = app.assess(table, missing=recipe.missing_keys, records=shown, progress=progress)
    return risk_view(found, table)


def compare_pair(
    data: Path,
    states: States,
    recipe: Recipe,
    chance: Chance,
    measures: Any,
    labels: Labels,
    progress: Progress,
) -> PairView:
    """Risk and utility of the data and what the steps made of them."""
    release = _release(data, states, recipe, chance)
    found = app.compare(
        release.original,
        release.whole,
        recipe=recipe,
        measures=measures,
        records=False,
        progress=progress,
    )
    return pair_view(found, release.original, release.whole, labels)


@dataclass(frozen=True)
class Suggested:
    """A recipe to start from, and why it has these steps."""

    recipe: Recipe
    reasons: tuple[str, ...]


def suggest_recipe(
    data: Path,
    roles: Roles,
    k: int | None,
    audience: Audience | None,
    labels: Labels,
    progress: Progress,
) -> Suggested:
    """Steps to start from, and why these."""
    progress(0, 1, "suggest")
    frame = read_frame(data)
    # Dates were read when the file was opened; what is still text was asked for as text.
    looked = replace(app.inspect(frame, labels=labels), dates={})
    found = app.propose(frame, roles, k=k, audience=audience, inspection=looked)
    return Suggested(found.recipe, found.reasons)


def find_recipe(data: Path, recipe: Recipe, goal: Goal, progress: Progress) -> Advice:
    """Search for recipes that reach a goal, beginning with what the present one says."""
    progress(0, 1, "points")
    found = advise(
        read_frame(data), goal=goal, recipe=recipe, seconds=SEARCH_SECONDS, progress=progress
    )
    return found.without_data()


def make_release(
    data: Path,
    states: States,
    recipe: Recipe,
    chance: Chance,
    wanted: Mapping[str, Any],
    progress: Progress,
    registry: RegistryUse | None = None,
) -> Made:
    """Check every requirement, and write the files if all of them hold.

    With a registry the release is compared with those before it, and noted when it is written.
    """
    progress(0, 4, "check")
    release = compare_release(_release(data, states, recipe, chance), registry)
    return make_files(release, wanted, progress)


def _release(data: Path, states: States, recipe: Recipe, chance: Chance) -> Release:
    """The release of a recipe whose states are kept; those that are not are made now."""
    original = read_by_recipe(recipe, Table(read_frame(data)))
    check_requirements(recipe)
    walk = Walk(recipe, original, chance, states, state_keys(recipe, data.name))
    return finish(recipe, Door(original.frame), original, walk.to_the_end().finish())
