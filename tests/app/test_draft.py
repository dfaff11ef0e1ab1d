from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest

import microveil as mv
from microveil.display import number


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


@pytest.fixture
def steps_taken() -> list[mv.Draft]:
    """A draft of visits before and after each of four steps, two of which remove something."""
    visits = mv.read("examples/visits.csv")
    roles = mv.Roles(quasi_identifiers=["born", "sex", "town"], entity="person")
    draft = mv.Draft.start(visits, roles, seed=1)
    width = {"hierarchy": "intervals", "width": [25.0], "origin": 1930.0}
    states = [draft]
    for step in (
        mv.Generalize(column="born", hierarchy=width, level=1),
        mv.SuppressRecords(k=3),
        mv.Drop(columns=["town"]),
        mv.SuppressRecords(k=8),
    ):
        draft = draft.apply(step)
        states.append(draft)
    return states


def test_the_card_shows_what_an_assessment_says(steps_taken: list[mv.Draft]) -> None:
    for draft in steps_taken:
        found, card = draft.assess(measures="none"), draft.card()
        row = card.grids[0].rows[-1]
        shown = [found.n_records, found.k, found.n_unique, found.average_risk]
        assert list(row[1:5]) == [number(one) for one in shown]
        assert "classes, k and risks count people, told apart by 'person'" in card.lines


def test_states_are_compared_in_both_directions_and_across_removed_rows(
    steps_taken: list[mv.Draft],
) -> None:
    for place, first in enumerate(steps_taken):
        for second in steps_taken[place + 1 :]:
            wanted = ["class_sizes", "cell_changes"]
            there, back = (
                one.compare(other, measures=wanted)
                for one, other in ((second, first), (first, second))
            )
            assert there.to_dict() == back.to_dict()
            assert set(there.risk) == {"class_sizes"}
            assert set(there.utility) == {"cell_changes"}
            assert (there.before.k, there.after.k) == (first.risk().k, second.risk().k)
            gone = 1 - second.table.height / first.table.height
            assert there.utility["cell_changes"].parts["removed_share"] >= gone - 1e-12


def test_a_comparison_treats_gaps_as_the_recipe_does() -> None:
    frame = pl.DataFrame({"sex": ["f", "m", None, "f"], "age": [1, 1, 1, 1]})
    recipe = mv.Recipe(roles=mv.Roles(quasi_identifiers=["sex", "age"]), missing="wildcard")
    start = replace(mv.Draft.start(frame, recipe.roles), recipe=recipe)
    found = start.apply(mv.SuppressRecords(k=3)).compare(start, measures=["class_sizes"])
    assert (found.before.missing, found.after.missing) == ("wildcard", "wildcard")
    assert found.before.k == 2


def test_branches_of_one_draft_are_compared_without_pairing_rows_they_do_not_share() -> None:
    frame = pl.DataFrame({"a": [1, 1, 1, 2, 2], "b": [1, 2, 2, 2, 1]})
    start = mv.Draft.start(frame, mv.Roles(quasi_identifiers=["a", "b"]))
    one = start.apply(mv.SuppressRecords(k=3, columns=["a"]))
    other = start.apply(mv.SuppressRecords(k=3, columns=["b"]))
    found = one.compare(other, measures=["class_sizes"])
    assert (found.before.n_records, found.after.n_records) == (3, 3)
    with pytest.raises(mv.InputError, match="rows in the same order"):
        one.compare(other, measures=["cell_changes"])


def test_a_draft_of_other_data_is_refused(patients: pl.DataFrame, roles: mv.Roles) -> None:
    draft = mv.Draft.start(patients, roles)
    other = mv.Draft.start(patients.reverse(), roles)
    with pytest.raises(mv.InputError, match="different data"):
        draft.compare(other)
    draft.compare(mv.Draft.start(patients, roles), measures=["class_sizes"])


def test_a_card_says_what_each_scenario_singles_out() -> None:
    roles = mv.Roles(quasi_identifiers=["a"], scenarios={"colleague": ["b"]})
    card = mv.Draft.start({"a": [1, 1], "b": [1, 2]}, roles).card()
    assert "scenario colleague: k = 1; 2 of 2 records are unique" in card.lines
