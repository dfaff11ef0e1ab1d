"""The one loop of steps: run, in parts and draft."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.app.steps import Steps
from microveil.methods.parts.streams import Chance

FRAME = pl.DataFrame(
    {
        "age": [31, 31, 42, 42, 53],
        "zip": ["A", "A", "B", "B", "C"],
        "ill": ["flu", "cold", "flu", "cold", "SECRET"],
        "name": ["a", "b", "c", "d", "e"],
    }
)
ROLES = mv.Roles(identifiers=["name"], quasi_identifiers=["age", "zip"], sensitive=["ill"])
GROUPS = {"people": ["age"], "cases": ["zip", "ill"]}


def _run(*steps: mv.Method, require: tuple[mv.PrivacyModel, ...] = ()) -> mv.Release:
    return mv.run(mv.Recipe(roles=ROLES, steps=steps, require=require), FRAME, seed=3)


def test_requirements_hold_on_the_join_of_what_is_released() -> None:
    frame = FRAME.with_columns(age=pl.lit(30), zip=pl.Series(["A", "B", "C", "D", "E"]))
    recipe = mv.Recipe(
        roles=ROLES, steps=[mv.Decompose(groups=GROUPS)], require=[mv.KAnonymity(k=2)]
    )
    release = mv.run(recipe, frame)
    assert not release.holds
    assert release.checks[0].achieved == 1
    assert release.risk.k == 1
    with pytest.raises(mv.RequirementNotMetError):
        _ = release.data
    apart = mv.run(recipe.with_values({"steps.0.groups.cases": ["ill"]}), frame)
    assert apart.checks[0].achieved == 5


def test_limits_of_measures_hold_on_the_join_too() -> None:
    require = mv.Recipe.from_yaml("require: [{measure: cell_changes, at_most: 0.3}]").require
    recipe = mv.Recipe(roles=ROLES, steps=[mv.Decompose(groups=GROUPS)], require=require)
    check = mv.run(recipe, FRAME).checks[0]
    assert check.achieved == pytest.approx(1 / 4)  # what stands in the parts is not lost
    assert check.holds


def test_the_join_is_what_the_steps_left() -> None:
    release = _run(mv.Decompose(groups=GROUPS))
    joined = release.data.join(release.parts["cases"], on="link_id")
    assert sorted(joined.select("age", "zip", "ill").rows()) == sorted(
        FRAME.select("age", "zip", "ill").rows()
    )
    assert release.cell_changes.value == pytest.approx(1 / 4)  # the names alone are gone


@pytest.mark.parametrize("place", [0, 1])
def test_records_that_are_removed_are_removed_from_the_parts(place: int) -> None:
    steps: list[mv.Method] = [mv.SuppressRecords(k=2)]
    steps.insert(place, mv.Decompose(groups=GROUPS))
    release = _run(*steps, require=(mv.KAnonymity(k=2),))
    assert release.holds
    assert "SECRET" not in release.parts["cases"]["ill"].to_list()
    assert sorted(release.parts["cases"]["link_id"]) == sorted(release.data["link_id"])
    assert release.facts[place].method == "decompose"
    assert [facts.method for facts in release.facts].count("suppress_records") == 1


def test_keys_that_are_changed_are_changed_in_the_parts() -> None:
    tree = {"hierarchy": "tree", "tree": {"N": ["A", "B"], "S": ["C"]}}
    coarse = mv.Generalize.parse(
        {"method": "generalize", "column": "zip", "hierarchy": tree, "level": 1}
    )
    release = _run(mv.Decompose(groups=GROUPS), coarse)
    assert set(release.parts["cases"]["zip"]) == {"N", "S"}


def test_a_table_is_split_once() -> None:
    with pytest.raises(mv.InputError, match=r"^steps\.1\.decompose: a table is split once"):
        _run(mv.Decompose(groups=GROUPS), mv.Decompose(groups=GROUPS, link="other"))


def test_a_draft_splits_when_the_release_is_made() -> None:
    draft = mv.Draft.start(FRAME, ROLES, seed=3).apply(mv.Decompose(groups=GROUPS))
    assert draft.table.columns == FRAME.columns
    later = draft.apply(mv.SuppressRecords(k=2))
    release, again = later.release(), mv.run(later.recipe, FRAME, seed=3)
    assert release.data.equals(again.data)
    assert release.parts["cases"].equals(again.parts["cases"])
    assert draft.release().part_tables["cases"].height == 5
    with pytest.raises(mv.InputError, match="split once"):
        draft.apply(mv.Decompose(groups=GROUPS, link="other"))


def test_anatomy_is_checked_by_what_its_links_lead_to() -> None:
    frame = pl.DataFrame({"age": [1, 2, 3, 4], "ill": ["a", "b", "c", "d"]})
    roles = mv.Roles(quasi_identifiers=["age"], sensitive=["ill"])
    split = mv.Decompose(groups={"people": ["age"], "cases": ["ill"]}, l=2)

    def checked(model: mv.PrivacyModel) -> bool:
        return mv.run(mv.Recipe(roles=roles, steps=[split], require=[model]), frame).holds

    assert checked(mv.LDiversity(l=2))
    assert not checked(mv.LDiversity(l=3))
    assert not checked(mv.KAnonymity(k=2))
    # Each age leads to two illnesses, half and half; but one record is not two.
    assert checked(mv.AlphaKAnonymity(alpha=0.5, k=1))
    assert not checked(mv.AlphaKAnonymity(alpha=0.4, k=1))
    assert not checked(mv.AlphaKAnonymity(alpha=0.5, k=2))


def test_anatomy_keeps_its_word_when_records_are_removed_later() -> None:
    frame = pl.DataFrame(
        {"age": [1, 1, 2, 2, 3, 9], "ill": ["a", "b", "a", "b", "c", "c"], "n": range(6)}
    )
    roles = mv.Roles(quasi_identifiers=["age"], sensitive=["ill"], insensitive=["n"])
    steps = [
        mv.Decompose(groups={"people": ["age"], "cases": ["ill"]}, l=2),
        mv.SuppressRecords(k=2, max_share=0.5),
    ]
    release = mv.run(mv.Recipe(roles=roles, steps=steps), frame, seed=1)
    assert release.table.height == 4
    cases = release.parts["cases"]
    assert cases.height == 4
    groups = cases.group_by("link_id").agg(pl.col("ill").n_unique())
    assert groups["ill"].to_list() == [2, 2]


def test_a_step_that_searches_works_toward_the_requirements() -> None:
    hierarchies = {"age": {"hierarchy": "intervals", "width": 20}}
    step = mv.OptimalGeneralization.parse(
        {"method": "optimal_generalization", "hierarchies": hierarchies}
    )
    roles = mv.Roles(quasi_identifiers=["age"])
    recipe = mv.Recipe(roles=roles, steps=[step], require=[mv.KAnonymity(k=2)])
    taken = Steps.start(recipe, mv.Table(FRAME, roles), Chance(1, b"")).finish()
    assert mv.KAnonymity(k=2).check(taken.table).holds


def test_no_table_in_between_is_kept() -> None:
    recipe = mv.Recipe(roles=ROLES, steps=[mv.Drop(columns=["name"]), mv.Drop(columns=["ill"])])
    table = mv.Table(FRAME, ROLES)
    taken = Steps.start(recipe, table, Chance(1, b"")).finish()
    assert all(outcome.table is table for outcome in taken.outcomes)
    assert taken.table.columns == ["age", "zip"]


def test_roles_and_steps_are_named_in_messages() -> None:
    with pytest.raises(mv.ColumnError, match=r"^roles: No column 'agee'"):
        mv.run(mv.Recipe(roles=mv.Roles(quasi_identifiers=["agee"])), FRAME)


def test_progress_is_told_step_by_step() -> None:
    told: list[str] = []
    recipe = mv.Recipe(roles=ROLES, steps=[mv.Drop(columns=["name"])])
    mv.run(recipe, FRAME, progress=lambda _done, _total, what: told.append(what))
    assert told == ["drop", "checks", "done"]


def test_chance_is_drawn_apart_for_each_step() -> None:
    steps = [mv.Permute(columns=["age"]), mv.Permute(columns=["zip"])]
    order = np.arange(500)
    frame = pl.DataFrame({"age": order, "zip": order})
    release = mv.run(mv.Recipe(steps=steps), frame, seed=5)
    assert not release.data["age"].equals(release.data["zip"])


def _steps() -> Steps:
    split = mv.Decompose(groups={"keys": ["age"], "secrets": ["ill"]})
    steps = [
        mv.Permute(columns=["age"]),
        split,
        mv.Drop(columns=["name"]),
        mv.Permute(columns=["zip"]),
    ]
    recipe = mv.Recipe(roles=ROLES, steps=steps)
    return Steps.start(recipe, mv.Table(FRAME, ROLES), Chance(1, b""))


def test_steps_may_be_continued_from_any_state() -> None:
    whole = _steps().finish()
    for position in range(5):
        state = _steps().until(position)
        assert state.n_taken == position
        # As if it had been stored: nothing but the table and the facts is known.
        again = Steps(state.recipe, state.original, state.chance, state.table, state.outcomes)
        done = again.finish()
        assert done.table.frame.equals(whole.table.frame)
        assert {name: part.shape for name, part in done.parts.items()} == {
            name: part.shape for name, part in whole.parts.items()
        }
        assert [one.facts for one in done.outcomes] == [one.facts for one in whole.outcomes]


def test_a_split_waits_for_the_steps_after_it() -> None:
    state = _steps().until(4)
    assert set(state.table.columns) == {"age", "ill", "zip"}
    assert state.outcomes[1].parts == {}
    assert "ill" not in state.finish().table.columns


def test_a_step_may_be_left_out() -> None:
    skipped = _steps().skip()
    assert skipped.table.frame.equals(skipped.original.frame)
    assert (skipped.n_taken, list(skipped.left)) == (1, [1, 2, 3])
