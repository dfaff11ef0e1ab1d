"""A goal is read, written and refused as a whole."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from microveil.app.advising.goal import Goal, goal_schema
from microveil.errors import ColumnError, FileError, InputError, SpecError
from microveil.privacy import KAnonymity
from microveil.tables import Roles, Table
from tests.app.advising.cases import K5, LINKED, PEOPLE, ROLES

WHOLE: dict[str, Any] = {
    "audience": "research",
    "require": [K5, LINKED, {"measure": "cell_loss", "at_least": 0.5}],
    "weights": {"age": 2.0},
    "analyses": [
        {"analysis": "table", "by": ["sex"]},
        {"analysis": "means", "of": ["cost"], "by": ["sex"], "weight": 3.0},
        {"analysis": "regression", "target": "cost", "predictors": ["visits"], "at_least": 0.4},
        {"analysis": "prediction", "target": "disease"},
    ],
    "truthful": True,
    "keep_records": True,
    "untouched": ["sex"],
    "missing": "wildcard",
    "hierarchies": {"age": {"hierarchy": "intervals", "width": [10]}},
    "max_loss": 0.5,
}


def test_a_goal_survives_the_way_to_a_file_and_back(tmp_path: Path) -> None:
    goal = Goal.parse(WHOLE)
    goal.write(tmp_path / "goal.yaml")
    assert Goal.read(tmp_path / "goal.yaml") == goal
    assert Goal.from_yaml(goal.to_yaml()).to_dict() == goal.to_dict()


def test_an_audience_is_a_goal() -> None:
    table = Table(PEOPLE, ROLES)
    ks = {
        who: [one.k for one in Goal.of(who).requirements(table) if isinstance(one, KAnonymity)]
        for who in ("public", "research", "internal")
    }
    assert ks == {"public": [11], "research": [5], "internal": [3]}


def test_what_is_required_stands_and_an_audience_adds_its_k_to_ceilings_alone() -> None:
    table = Table(PEOPLE, ROLES)
    said = Goal.parse({"audience": "public", "require": [K5]}).requirements(table)
    assert [one.to_dict() for one in said] == [K5]
    added = Goal.parse({"audience": "public", "require": [LINKED]}).requirements(table)
    assert added[0] == KAnonymity(k=11)
    assert Goal(epsilon=1.0).requirements(table) == ()


@pytest.mark.parametrize(
    ("plain", "told"),
    [
        ({"truthful": True, "epsilon": 1}, "truthful"),
        ({"keep_records": True, "epsilon": 1}, "keep_records"),
        ({"untouched": ["age"], "weights": {"age": 0}}, "weight 0"),
        ({"require": [{"measure": "linkabilty", "at_most": 0.1}]}, "Did you mean 'linkability'"),
        ({"require": [{"model": "across_releases", "k": 5}]}, "registry"),
        ({"audiense": "public"}, "audience"),
        ({"analyses": [{"analysis": "means", "of": ["cost"]}]}, "needs 'by'"),
        ({"analyses": [{"analysis": "table", "by": ["a"], "of": ["b"]}]}, "does not use"),
        ({"epsilon": 0}, "greater than 0"),
    ],
)
def test_what_contradicts_itself_is_told(plain: dict[str, Any], told: str) -> None:
    with pytest.raises(SpecError, match=told):
        Goal.parse(plain)


def test_a_name_that_is_no_audience_is_told() -> None:
    with pytest.raises(InputError, match="Did you mean 'public'"):
        Goal.of("publik")


def test_files_that_are_no_goals_are_told(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot read the goal"):
        Goal.read(tmp_path / "none.yaml")
    (tmp_path / "list.yaml").write_text("[1, 2]", encoding="utf-8")
    with pytest.raises(SpecError, match="A goal is a mapping"):
        Goal.read(tmp_path / "list.yaml")
    (tmp_path / "bytes.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(FileError, match="UTF-8"):
        Goal.read(tmp_path / "bytes.yaml")


def test_a_column_that_is_not_there_or_identifies_is_told() -> None:
    table = Table(PEOPLE, ROLES)
    with pytest.raises(ColumnError, match="Did you mean 'age'"):
        Goal(weights={"agee": 2}).check_against(table)
    with pytest.raises(InputError, match="identifies people"):
        Goal(untouched="name").check_against(table)
    Goal(untouched="sex").check_against(Table(PEOPLE, Roles()))


def test_the_schema_names_every_field() -> None:
    assert set(goal_schema()["properties"]) == set(Goal.model_fields)
