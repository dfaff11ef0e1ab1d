"""Cautions: what requirements leave open is said by every surface, in the same words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import microveil as mv
from microveil.release.cautions import Caution, cautions_of
from microveil.texts import translate

FRAME = pl.DataFrame(
    {"age": [31, 32, 43, 44], "sex": ["f", "f", "m", "m"], "ill": ["flu", "cold", "flu", "cold"]}
)
ROLES = mv.Roles(quasi_identifiers=["age", "sex"], sensitive=["ill"])
TOP = {"hierarchy": "intervals", "width": [10.0]}
EITHER = {"hierarchy": "tree", "tree": {"either": ["f", "m"]}}


def release_of(*steps: Any, require: Any = (), roles: mv.Roles = ROLES) -> mv.Release:
    return mv.run(mv.Recipe(roles=roles, steps=steps, require=require), FRAME, seed=1)


def kinds(release: mv.Release) -> dict[str, tuple[str, ...]]:
    return {one.kind: one.columns for one in release.cautions}


def test_a_release_of_which_nothing_was_required_says_so() -> None:
    release = release_of()
    assert kinds(release) == {"nothing_required": (), "sensitive_unchecked": ("ill",)}
    shown = repr(release)
    assert "may be released" not in shown
    assert "was not checked: nothing is required of it" in shown
    assert "Nothing was required of this release" in shown


def test_a_sensitive_column_without_a_requirement_is_named() -> None:
    steps = [mv.Generalize(column="age", hierarchy=TOP, level=1)]
    release = release_of(*steps, require=[mv.KAnonymity(k=2)])
    assert kinds(release) == {"sensitive_unchecked": ("ill",)}
    assert "may be released" in repr(release)
    assert "sensitive column 'ill'" in repr(release)


@pytest.mark.parametrize(
    "required",
    [
        mv.LDiversity(l=2, column="ill"),
        mv.LDiversity(l=2),
        mv.Recipe.from_yaml("require: [{measure: attribute_disclosure, at_most: 1}]").require[0],
        mv.Recipe.from_yaml("require: [{measure: inference, secret: ill, at_most: 1}]").require[0],
    ],
)
def test_a_requirement_about_it_is_enough(required: Any) -> None:
    recipe = mv.Recipe(roles=ROLES, require=[required])
    assert cautions_of(recipe, FRAME.columns) == ()


@pytest.mark.parametrize(
    "required",
    [
        mv.KAnonymity(k=2),
        mv.Recipe.from_yaml("require: [{measure: inference, secret: sex, at_most: 1}]").require[0],
        mv.Recipe.from_yaml("require: [{measure: class_sizes, at_most: 1}]").require[0],
        mv.Recipe.from_yaml("require: [{measure: cell_changes, at_most: 1}]").require[0],
    ],
)
def test_a_requirement_about_something_else_is_not(required: Any) -> None:
    recipe = mv.Recipe(roles=ROLES, require=[required])
    assert [one.kind for one in cautions_of(recipe, FRAME.columns)] == ["sensitive_unchecked"]


def test_a_sensitive_column_that_is_not_released_needs_none() -> None:
    assert kinds(release_of(mv.Drop(columns=["ill"]))) == {"nothing_required": ()}


def test_a_key_that_became_constant_is_named() -> None:
    steps = [
        mv.Generalize(
            column="sex", hierarchy={"hierarchy": "tree", "tree": {"x": ["f", "m"]}}, level=1
        )
    ]
    release = release_of(*steps, require=[mv.LDiversity(l=2)], roles=ROLES)
    assert kinds(release) == {"constant_keys": ("sex",)}
    constant = FRAME.with_columns(sex=pl.lit("f"))
    untouched = mv.run(mv.Recipe(roles=ROLES, require=[mv.LDiversity(l=2)]), constant)
    assert untouched.cautions == ()


def test_keys_that_are_all_suppressed_are_named() -> None:
    blank: dict[str, Any] = {"age": TOP, "sex": EITHER}
    steps = [mv.Generalize(column=name, hierarchy=one, level=2) for name, one in blank.items()]
    release = release_of(*steps, require=[mv.LDiversity(l=2)])
    assert release.table.frame["age"].to_list() == ["*"] * 4
    assert kinds(release) == {"all_keys_constant": ("age", "sex")}


def test_scenarios_are_looked_at_too() -> None:
    roles = mv.Roles(quasi_identifiers=["age"], scenarios={"office": ["sex"]})
    release = release_of(
        mv.Generalize(column="sex", hierarchy=EITHER, level=1),
        mv.Drop(columns=["ill"]),
        require=[mv.KAnonymity(k=2)],
        roles=roles,
    )
    assert kinds(release) == {"all_keys_constant": ("sex",)}
    assert "scenario 'office'" in release.cautions[0].sentence


def test_reports_and_their_data_say_the_same(tmp_path: Path) -> None:
    release = release_of()
    sentences = [one.sentence for one in release.cautions]
    for audience in ("internal", "public"):
        page = release.report(tmp_path / "r.html", audience=audience).read_text("utf-8")
        assert "Nothing was required of this release" in page
        plain = json.loads(
            release.report(tmp_path / "r.json", audience=audience).read_text("utf-8")
        )
        assert plain["cautions"][: len(sentences)] == sentences


def test_a_run_from_file_to_file_says_the_same(tmp_path: Path) -> None:
    FRAME.write_csv(tmp_path / "data.csv")
    recipe = mv.Recipe(roles=ROLES)
    for in_parts in (False, True):
        done = mv.run_file(
            recipe, tmp_path / "data.csv", tmp_path / f"out{in_parts}.csv", in_parts=in_parts
        )
        assert done.in_parts is in_parts
        plain = done.to_dict()["cautions"]
        assert [one["kind"] for one in plain] == ["nothing_required", "sensitive_unchecked"]


def test_a_caution_is_plain_data_and_can_be_translated() -> None:
    caution = release_of().cautions[0]
    assert isinstance(caution, Caution)
    assert caution.to_dict() == {
        "kind": "nothing_required",
        "sentence": str(caution),
        "columns": [],
    }
    assert translate(caution.sentence, "es").startswith("No se exigió nada")


def test_ids_that_leave_unchanged_are_named() -> None:
    roles = mv.Roles(quasi_identifiers=["age"], sensitive=["ill"], household="sex")
    for keep, told in ((["sex"], ("sex",)), ([], None)):
        release = mv.run(mv.Recipe(roles=roles, keep=keep), FRAME)
        assert kinds(release).get("kept_ids") == told
