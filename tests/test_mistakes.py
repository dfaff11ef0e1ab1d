"""Mistakes in Python get one sentence that says what to do, not another library's traceback."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import microveil as mv
from microveil.errors import ColumnError, InputError, SpecError

FRAME = {"age": [31, 32, 47, 48], "sex": ["f", "f", "m", "m"]}
RECIPE = mv.Recipe(undeclared="keep")
UNTYPED: Any = mv
"""The package as a notebook sees it, without a type checker."""


@pytest.mark.parametrize(
    "call",
    [
        lambda: UNTYPED.run(FRAME, RECIPE),
        lambda: UNTYPED.run("recipe.yaml", FRAME),
        lambda: UNTYPED.fit(FRAME, RECIPE),
        lambda: UNTYPED.lattice(FRAME, RECIPE),
        lambda: UNTYPED.explore(RECIPE, FRAME, {}),
        lambda: UNTYPED.Protector("recipe.yaml").fit(FRAME),
    ],
)
def test_something_else_in_place_of_a_recipe(call: Callable[[], Any]) -> None:
    with pytest.raises(InputError, match="A recipe is needed, not"):
        call()


def test_a_protector_shows_itself_whatever_it_was_given() -> None:
    assert "not fitted" in repr(UNTYPED.Protector("recipe.yaml"))


def test_roles_may_be_a_mapping_and_nothing_else() -> None:
    keys = {"quasi_identifiers": ["sex"]}
    assert UNTYPED.assess(FRAME, keys).k == 2
    assert UNTYPED.protect(FRAME, keys, k=2).holds
    for wrong in (["sex"], "sex"):
        with pytest.raises(InputError, match="Roles are given as Roles"):
            UNTYPED.assess(FRAME, wrong)
    with pytest.raises(SpecError, match="Did you mean 'quasi_identifiers'"):
        UNTYPED.assess(FRAME, {"quasi_identifier": ["sex"]})


def test_a_role_of_no_column_is_named_before_anything_runs() -> None:
    roles = mv.Roles(quasi_identifiers=["agee"])
    for call in (mv.protect, mv.suggest):
        with pytest.raises(ColumnError, match="Did you mean 'age'"):
            call(FRAME, roles, k=2)


@pytest.mark.parametrize("k", ["five", 1, 2.5])
def test_k_is_a_whole_number(k: Any) -> None:
    with pytest.raises(InputError, match="k is a whole number of at least 2"):
        mv.protect(FRAME, mv.Roles(quasi_identifiers=["age"]), k=k)


def test_a_seed_is_a_whole_number() -> None:
    with pytest.raises(InputError, match="seed must be a non-negative whole number"):
        UNTYPED.run(RECIPE, FRAME, seed="x")


def test_a_step_is_a_method_with_its_parameters() -> None:
    draft: Any = mv.Draft.start(FRAME)
    with pytest.raises(InputError, match=r"apply\(Mondrian\(…\)\), not the class"):
        draft.apply(mv.Mondrian)
    with pytest.raises(InputError, match="A step is a method with its parameters"):
        draft.apply("mondrian")
    wrong = {mv.Mondrian: "not the class", "mondrian": "{method: mondrian", 3: "steps.0"}
    for step, words in wrong.items():
        with pytest.raises(SpecError, match=words):
            UNTYPED.Recipe(steps=[step])
    with pytest.raises(SpecError, match="KAnonymity is no method"):
        UNTYPED.Recipe(steps=[mv.KAnonymity(k=2)])


def test_an_inspection_shows_every_column_with_its_role() -> None:
    frame = {f"column_{i}": [1, 2, 3] for i in range(20)}
    looked = mv.inspect(frame)
    assert all(name in repr(looked) for name in frame)
    assert "suggested role" in looked._repr_html_()
