"""Every node of a search can be looked at and picked, however many there are."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from microveil.errors import InputError
from microveil.methods import Drop, OptimalGeneralization
from microveil.methods.parts.streams import Chance
from microveil.privacy import KAnonymity
from microveil.progress import silent
from microveil.recipes import Recipe
from microveil.tables import Roles
from microveil.web.project import lattice, tasks
from microveil.web.project.examples import patients
from microveil.web.project.states import States, write_frame

PEOPLE = patients(200)
KEYS = ("sex", "age", "postcode")
RECIPE = Recipe(
    roles=Roles(identifiers=("name",), quasi_identifiers=KEYS),
    steps=(Drop(columns=("name",)), OptimalGeneralization(suppression_share=0.1)),
    require=(KAnonymity(k=3),),
)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "data.arrow"
    write_frame(PEOPLE, path)
    return path


def test_a_large_lattice_names_its_levels_and_its_best_nodes(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lattice, "MOST_DRAWN", 3)
    applied = tasks.apply_steps(data, States(data.parent), RECIPE, Chance.of(None, PEOPLE), silent)
    view = next(iter(applied.lattices.values()))
    assert view.nodes == ()
    assert view.best[0].solution
    assert list(view.titles) == list(KEYS)
    n_nodes = 1
    for titles in view.titles.values():
        n_nodes *= len(titles)
    assert n_nodes == view.n_nodes


def _looked(data: Path, **levels: int) -> lattice.Surroundings:
    states = States(data.parent)
    tasks.apply_steps(data, states, RECIPE, Chance.of(None, PEOPLE), silent)
    return tasks.look_at_node(data, states, RECIPE, 1, levels, silent)


def test_any_node_can_be_looked_at_with_its_neighbours(data: Path) -> None:
    seen = _looked(data, sex=0, age=1, postcode=1)
    assert seen.node.levels == {"sex": 0, "age": 1, "postcode": 1}
    assert {one.height for one in seen.below} == {1}
    assert {one.height for one in seen.above} == {3}
    assert len(seen.below) == 2
    assert len(seen.above) == 3
    assert all(one.solution is not None for one in (seen.node, *seen.below, *seen.above))


def test_what_is_said_of_a_node_is_what_picking_it_does(data: Path) -> None:
    seen = _looked(data, sex=1, age=2, postcode=2)
    step = OptimalGeneralization(suppression_share=0.1, levels=dict(seen.node.levels))
    picked = RECIPE.model_copy(update={"steps": (RECIPE.steps[0], step)})
    states = States(data.parent)
    assert seen.node.solution
    made = tasks.apply_steps(data, states, picked, Chance.of(None, PEOPLE), silent)
    last = list(made.effects.values())[-1]
    assert last.k is not None
    assert last.k >= 3
    assert seen.node.n_suppressed == PEOPLE.height - last.n_records


def test_a_node_outside_the_lattice_is_refused(data: Path) -> None:
    with pytest.raises(InputError):
        _looked(data, sex=99, age=0, postcode=0)


def test_a_step_that_searches_nothing_has_no_nodes(data: Path) -> None:
    assert isinstance(PEOPLE, pl.DataFrame)
    with pytest.raises(InputError, match="no lattice"):
        tasks.look_at_node(data, States(data.parent), RECIPE, 0, {}, silent)
