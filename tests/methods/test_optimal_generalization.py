from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.app import Draft, run
from microveil.app.file_runs import run_file
from microveil.errors import HierarchyError, InputError, RolesError
from microveil.methods.datafly.step import Datafly
from microveil.methods.optimal_generalization import OptimalGeneralization
from microveil.methods.parts.base import Outcome
from microveil.privacy import KAnonymity, LDiversity, PrivacyModel, TCloseness
from microveil.recipes import Recipe
from microveil.tables import Classes, Roles, Table

ROLES = Roles(quasi_identifiers=["age", "sex", "zip"], sensitive=["ill"])
DECADES: dict[str, Any] = {"age": {"hierarchy": "intervals", "width": 10, "factors": [2, 5]}}

people = st.lists(
    st.tuples(
        st.none() | st.integers(20, 59),
        st.sampled_from(["f", "m", None]),
        st.sampled_from(["08003", "08005", "17001"]),
        st.sampled_from(["flu", "no", "ulcer"]),
    ),
    min_size=3,
    max_size=40,
)


def frame_of(some: list[Any]) -> pl.DataFrame:
    kinds = {"age": pl.Int64, "sex": pl.String, "zip": pl.String, "ill": pl.String}
    return pl.DataFrame(some, schema=kinds, orient="row")


def applied(frame: pl.DataFrame, roles: Roles = ROLES, **how: Any) -> Outcome:
    step = OptimalGeneralization(**{"hierarchies": DECADES, **how})
    return step.apply(Table(frame, roles), np.random.default_rng(0))


def some_people(n: int = 40) -> pl.DataFrame:
    zips, ills = ["08003", "08005", "17001"], ["flu", "no", "ulcer", "flu"]
    return frame_of([(20 + 7 * i % 40, "fm"[i % 2], zips[i % 3], ills[i % 4]) for i in range(n)])


MODELS: list[PrivacyModel] = [
    LDiversity(l=2),
    LDiversity(l=1.5, kind="entropy"),
    TCloseness(t=0.35),
]


@settings(max_examples=40)
@given(people, st.sampled_from(MODELS), st.sampled_from([0.1, 0.5, 1.0]))
def test_the_released_table_keeps_the_goal_as_the_models_themselves_see_it(
    some: list[Any], model: PrivacyModel, allowed: float
) -> None:
    frame = frame_of(some)
    try:
        outcome = applied(frame, k=2, models=[model], suppression_share=allowed)
    except InputError as error:
        assert "No generalisation reaches the goal" in str(error)  # noqa: PT017  either way is right
        return
    classes = Classes.of(outcome.table)
    assert KAnonymity(k=2).verify(classes).holds
    assert model.verify(classes).holds
    assert frame.height - outcome.table.height == outcome.facts["n_suppressed"]
    assert outcome.facts["n_suppressed"] <= allowed * frame.height
    assert outcome.facts["n_classes"] == classes.n_classes


def test_a_recipe_without_a_goal_in_the_step_works_toward_its_requirements() -> None:
    recipe = Recipe(
        roles=ROLES,
        steps=[OptimalGeneralization(hierarchies=DECADES, suppression_share=0.1)],
        require=[KAnonymity(k=3), LDiversity(l=2, column="ill")],
    )
    release = run(recipe, some_people())
    assert release.holds
    assert release.facts[0].facts["proved"]
    plain = OptimalGeneralization.parse(recipe.steps[0].to_dict())
    again = run(recipe.model_copy(update={"steps": (plain,)}), some_people())
    assert again.data.equals(release.data)


def test_a_goal_in_the_step_stays_whatever_the_recipe_requires() -> None:
    step = OptimalGeneralization(k=9)
    assert step.toward([KAnonymity(k=2)]) is step


def test_a_file_is_run_toward_the_requirements(tmp_path: Path) -> None:
    some_people().write_csv(tmp_path / "people.csv")
    recipe = Recipe(
        roles=ROLES,
        steps=[OptimalGeneralization(suppression_share=0.1)],
        require=[KAnonymity(k=3)],
    )
    assert run_file(recipe, tmp_path / "people.csv", tmp_path / "out.csv").holds


def test_a_draft_works_toward_what_was_required_before_and_keeps_it_in_the_step() -> None:
    draft = Draft.start(some_people(), ROLES).require(KAnonymity(k=3))
    done = draft.apply(OptimalGeneralization(hierarchies=DECADES)).require(KAnonymity(k=2))
    step = done.recipe.steps[0]
    assert isinstance(step, OptimalGeneralization)
    assert step.goal == (KAnonymity(k=3),)
    assert run(done.recipe, some_people()).data.equals(done.release().data)


def test_without_any_goal_one_sentence_says_to_name_k() -> None:
    with pytest.raises(InputError, match="give k"):
        OptimalGeneralization(columns=["age"]).protect(some_people())
    with pytest.raises(InputError, match="give k"):
        Draft.start(some_people(), ROLES).apply(OptimalGeneralization())


def test_an_unreachable_goal_says_what_is_best_and_what_blocks() -> None:
    with pytest.raises(InputError, match="40 would have to be") as caught:
        applied(some_people(), models=[LDiversity(l=4)])
    assert "distinct 4-diversity does not hold" in str(caught.value)
    assert "flu" not in str(caught.value)
    with pytest.raises(InputError, match="highest level"):
        applied(some_people(), k=30, max_levels={"age": 0, "sex": 0, "zip": 0})


def test_suppressed_records_are_removed_and_the_others_keep_their_order() -> None:
    frame = some_people().with_row_index("id")
    outcome = applied(frame, k=4, suppression_share=0.2)
    ids = outcome.table.frame["id"].to_list()
    assert ids == sorted(ids)
    assert outcome.table.rows is None or outcome.table.rows.tolist() == ids


def test_levels_found_once_are_applied_to_new_data_and_verified() -> None:
    first = applied(some_people(), k=3, suppression_share=0.1)
    step = OptimalGeneralization(k=3, hierarchies=DECADES, suppression_share=0.5)
    settled = step.with_levels_of(first.facts)
    plain = OptimalGeneralization.parse(settled.to_dict())
    assert plain == settled
    fresh = pl.concat([some_people(31), frame_of([(99, "f", "99999", "no")])])
    outcome = plain.apply(Table(fresh, ROLES), np.random.default_rng(0))
    assert outcome.facts["levels"] == first.facts["levels"]
    assert outcome.facts["n_nodes"] == 1
    assert KAnonymity(k=3).verify(Classes.of(outcome.table)).holds
    assert outcome.facts["n_suppressed"] >= 1


def test_settled_levels_that_suppress_too_much_are_an_error() -> None:
    step = OptimalGeneralization(k=3, hierarchies=DECADES, levels={"age": 0, "sex": 0, "zip": 0})
    with pytest.raises(InputError, match="at most 0 of 40 records"):
        step.protect(some_people(), ROLES)


def test_a_missing_key_is_a_value_of_its_own_until_its_column_is_a_star() -> None:
    frame = frame_of([(30, "f", "1", "no")] * 3 + [(None, "f", "1", "no")] * 3)
    assert applied(frame, k=3).facts["levels"] == {"age": 0, "sex": 0, "zip": 0}
    alone = frame_of([(30, "f", "1", "no")] * 3 + [(None, "f", "1", "no")])
    outcome = applied(alone, k=2)
    assert outcome.table.frame["age"].to_list() == ["*"] * 4


def test_every_kind_of_column_can_be_a_key(any_column: pl.Series) -> None:
    frame, roles = pl.DataFrame([any_column]), Roles(quasi_identifiers=["x"])
    if any_column.dtype in (pl.Time, pl.Duration):
        with pytest.raises(InputError, match="text, numbers or dates"):
            applied(frame, roles, k=2, hierarchies={})
        return
    outcome = applied(frame, roles, k=2, hierarchies={})
    assert min(Counter(outcome.table.frame["x"]).values()) >= 2


def test_a_constant_column_costs_nothing_and_stays() -> None:
    frame = pl.DataFrame({"a": [1] * 4, "b": [10, 11, 12, 13]})
    outcome = applied(frame, Roles(quasi_identifiers=["a", "b"]), k=2, hierarchies={})
    assert outcome.facts["levels"]["a"] == 0
    assert outcome.table.frame["a"].to_list() == [1] * 4


def test_an_empty_table_stays_empty() -> None:
    outcome = applied(some_people().clear(), k=2)
    assert outcome.table.height == 0
    assert outcome.facts["n_suppressed"] == 0


def test_one_record_has_no_class_of_two() -> None:
    with pytest.raises(InputError, match="the table has 1 records"):
        applied(some_people(1), k=2)


def test_hierarchies_that_do_not_nest_or_have_gaps_are_refused(tmp_path: Path) -> None:
    torn = tmp_path / "torn.csv"
    torn.write_text("f;a;x;*\nm;a;y;*\n", encoding="utf-8")
    with pytest.raises(HierarchyError, match="do not nest"):
        applied(some_people(), k=2, hierarchies={"sex": str(torn)})
    twice = tmp_path / "twice.csv"
    twice.write_text("f;a;*\nf;b;*\nm;a;*\n", encoding="utf-8")
    with pytest.raises(HierarchyError, match="one place"):
        applied(some_people(), k=2, hierarchies={"sex": str(twice)})
    gaps = tmp_path / "gaps.csv"
    gaps.write_text("f;*\n", encoding="utf-8")
    with pytest.raises(HierarchyError, match="not in the hierarchy"):
        applied(some_people(), k=2, hierarchies={"sex": str(gaps)})
    assert applied(some_people(), k=2, hierarchies={"sex": str(gaps)}, unlisted="star").table


def test_keys_must_be_named() -> None:
    with pytest.raises(RolesError, match="needs keys"):
        OptimalGeneralization(k=2).protect(some_people())


@settings(max_examples=25)
@given(people, st.integers(2, 4))
def test_it_never_loses_more_than_datafly(some: list[Any], k: int) -> None:
    if len(some) < k:
        return
    frame, n = frame_of(some), len(some)
    table = Table(frame, ROLES)
    greedy = Datafly(k=k, hierarchies=DECADES, max_suppressed=n // 5).apply(
        table, np.random.default_rng(0)
    )
    how: dict[str, Any] = {"k": k, "suppression_share": 0.2}
    best = applied(frame, **how).facts["loss"]
    theirs = applied(frame, **how, levels=greedy.facts["levels"]).facts["loss"]
    assert best <= theirs + 1e-12


def test_facts_and_messages_hold_no_cell() -> None:
    outcome = applied(some_people(), k=3, suppression_share=0.1)
    text = str(outcome.facts)
    assert not any(word in text for word in ("08003", "flu", "ulcer", "17001"))


def test_an_unreachable_goal_is_told_with_what_blocks_it_and_how_near_one_comes() -> None:
    frame = some_people()
    close = [TCloseness(t=0.0001)]
    assert set(applied(frame, models=close).table.frame["zip"]) == {"*"}
    words = "at its highest level, 40 would have to be. There, 0.0001-closeness .* reached 0"
    with pytest.raises(InputError, match=words + ".* or allow higher levels"):
        applied(frame, models=close, max_levels={"sex": 0})
    with pytest.raises(InputError, match=r"distinct 4-diversity .* reached 3.*Ask for less.$"):
        applied(frame, models=[LDiversity(l=4)])
