"""Plans change without losing anything, and history goes back and forth."""

from __future__ import annotations

from microveil.app.checking import check
from microveil.methods import (
    Drop,
    LocalRecoding,
    LocalSuppression,
    Mondrian,
    OptimalGeneralization,
)
from microveil.privacy import KAnonymity, LDiversity
from microveil.recipes import MeasureRequirement, Recipe
from microveil.risk import SinglingOut
from microveil.tables import Roles
from microveil.web.project.history import LONGEST, History
from microveil.web.project.plan import ProjectPlan, state_keys
from microveil.web.project.role_change import with_role

PLAN = ProjectPlan(
    roles=Roles(identifiers=["name"], quasi_identifiers=["age", "sex"]),
    require=(KAnonymity(k=5),),
)
DROP, BLANK = Drop(columns=("name",)), LocalSuppression(k=5)


def test_a_step_that_is_switched_off_keeps_its_place_and_leaves_the_recipe() -> None:
    plan = PLAN.with_step(DROP).with_step(BLANK).switch(0)
    assert [item.on for item in plan.items] == [False, True]
    assert plan.recipe.steps == (BLANK,)
    assert plan.switch(0).recipe.steps == (DROP, BLANK)


def test_steps_move_as_far_as_there_is_room() -> None:
    plan = PLAN.with_step(DROP).with_step(BLANK)
    assert plan.move(1, -1).recipe.steps == (BLANK, DROP)
    assert plan.move(0, -1) == plan
    assert plan.move(1, 5) == plan


def test_a_column_that_is_no_key_any_more_leaves_the_settings_of_steps_for_the_keys() -> None:
    levels, widths = {"age": 1, "sex": 0}, {"age": {"hierarchy": "intervals", "width": [10]}}
    own = OptimalGeneralization(k=2, columns=("age",), levels={"age": 1})
    steps = (
        OptimalGeneralization(k=2, levels=levels, hierarchies=widths, weights={"age": 2}),
        LocalRecoding(k=2, hierarchies=widths),
        own,
    )
    plan = ProjectPlan.of(Recipe(roles=PLAN.roles, steps=steps))
    changed = plan.with_roles(with_role(plan.roles, "age", "insensitive"))
    assert changed.recipe.steps == (
        OptimalGeneralization(k=2, levels={"sex": 0}),
        LocalRecoding(k=2),
        own,  # it names its columns itself
    )
    frame = {"age": [30, 31, 32, 33], "sex": ["f", "f", "m", "m"], "name": list("abcd")}
    some = changed.without_step(2).with_step(DROP).recipe
    assert check(some, frame).problems == ()
    more = changed.with_roles(with_role(changed.roles, "age", "quasi_identifiers"))
    assert more.recipe.steps == changed.recipe.steps


def test_a_step_is_replaced_in_its_place() -> None:
    plan = PLAN.with_step(DROP).with_step(BLANK).with_step(Mondrian(k=9), 0)
    assert [step.kind() for step in plan.recipe.steps] == ["mondrian", "local_suppression"]
    assert plan.without_step(0).recipe.steps == (BLANK,)


def test_a_plan_of_a_recipe_gives_the_recipe_back() -> None:
    recipe = Recipe(roles=PLAN.roles, steps=(DROP, BLANK), require=PLAN.require, missing="wildcard")
    assert ProjectPlan.of(recipe).recipe == recipe


def test_history_undoes_redoes_and_forgets_what_was_undone() -> None:
    history = History([PLAN])
    assert not history.can_undo
    assert history.add(PLAN.with_step(DROP))
    assert not history.add(PLAN.with_step(DROP))
    history.undo()
    assert (history.now, history.can_redo) == (PLAN, True)
    history.redo()
    assert history.now == PLAN.with_step(DROP)
    history.undo()
    history.add(PLAN.with_step(BLANK))
    assert not history.can_redo
    assert len(history.plans) == 2


def test_history_is_limited() -> None:
    history = History([PLAN])
    for k in range(2, LONGEST + 50):
        history.add(PLAN.with_require([KAnonymity(k=k)]))
    assert len(history.plans) == LONGEST
    assert history.now.require == (KAnonymity(k=LONGEST + 49),)


def test_states_have_the_same_name_as_long_as_nothing_before_them_changes() -> None:
    one = state_keys(PLAN.with_step(DROP).with_step(BLANK).recipe, "data")
    other = state_keys(PLAN.with_step(DROP).with_step(Mondrian(k=5)).recipe, "data")
    assert one[:2] == other[:2]
    assert one[2] != other[2]
    assert one[0] != state_keys(PLAN.recipe, "other data")[0]


def test_a_requirement_counts_for_steps_that_work_toward_it() -> None:
    from microveil.methods import OptimalGeneralization

    search, stricter = OptimalGeneralization(), PLAN.with_require([KAnonymity(k=9)])
    assert (
        state_keys(PLAN.with_step(search).recipe, "d")[1]
        != state_keys(stricter.with_step(search).recipe, "d")[1]
    )
    assert (
        state_keys(PLAN.with_step(DROP).recipe, "d")[1]
        == state_keys(stricter.with_step(DROP).recipe, "d")[1]
    )


def test_a_step_begins_with_the_k_that_is_required() -> None:
    plan = ProjectPlan(require=(KAnonymity(k=3), KAnonymity(k=7)))
    assert plan.prefill(Mondrian) == {"k": "7"}
    assert plan.prefill(Drop) == {}
    assert ProjectPlan().prefill(Mondrian) == {}


def test_a_suggestion_replaces_what_it_limits_itself() -> None:
    old = MeasureRequirement(spec=SinglingOut(), at_most=0.5)
    new = MeasureRequirement(spec=SinglingOut(n_attacks=200), at_most=0.2)
    plan = ProjectPlan(require=(KAnonymity(k=3), old, LDiversity(l=2, column="ill")))
    found = plan.requirements_with((KAnonymity(k=5), new))
    assert found == (KAnonymity(k=5), new, LDiversity(l=2, column="ill"))
