"""What stands for a hierarchy in a recipe, and how one is described."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Annotated, Any

import polars as pl
import pytest

from microveil.errors import SpecError
from microveil.hierarchies import (
    HIERARCHIES,
    AnyHierarchy,
    Digits,
    File,
    Hierarchy,
    HierarchyBuilder,
    Tree,
    as_builder,
    build_hierarchy,
    describe,
)
from microveil.specs import Spec

EXAMPLES: dict[str, tuple[dict[str, Any], list[Any]]] = {
    "codes": ({"system": "icd10"}, ["C34.1", None, "I10"]),
    "dates": ({"levels": ["day", "season"]}, [date(2021, 3, 4), None]),
    "digits": ({"masked": [1, 2]}, ["08003", None, "17"]),
    "file": ({"path": "sexes.csv"}, ["f", "m", None]),
    "frequency": ({"steps": 1}, ["a", "a", None, "b"]),
    "order": ({"sizes": [2]}, [3, 1, None, 2]),
    "intervals": ({"width": [5, 10], "top": 80}, [34, 41, None, 99]),
    "prefix": ({"lengths": [2, 1]}, ["C34", None]),
    "tree": ({"tree": {"x": ["a", "b"], "y": ["c"]}}, ["a", None, "c"]),
    "types": ({}, ["anna", "bo", None]),
}
BY_COLUMN = ("types", "frequency", "order")
"""Builders whose labels hang on the whole column."""


class Holder(Spec):
    hierarchy: AnyHierarchy


@pytest.fixture(autouse=True)
def _sexes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sexes.csv").write_text("f;*\nm;*\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)


def test_every_builder_has_an_example_here() -> None:
    assert set(EXAMPLES) == set(HIERARCHIES.classes)


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_builder_survives_plain_data(name: str) -> None:
    fields, _ = EXAMPLES[name]
    spec = HIERARCHIES.parse({"hierarchy": name, **fields})
    assert HIERARCHIES.parse(json.loads(json.dumps(spec.to_dict()))) == spec


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_builder_builds_the_same_whatever_the_order(name: str) -> None:
    fields, values = EXAMPLES[name]
    spec = HIERARCHIES.parse({"hierarchy": name, **fields})
    column = pl.Series("c", values)
    built, again = spec.build(column), spec.build(column.reverse().append(column))
    assert built.frame.equals(again.frame)
    built.validate()
    out = built.generalize(column, "*")
    assert out.to_list() == [None if value is None else "*" for value in values]


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_builder_copes_with_a_column_without_values(name: str) -> None:
    fields, values = EXAMPLES[name]
    spec = HIERARCHIES.parse({"hierarchy": name, **fields})
    empty = pl.Series("c", values).clear()
    assert spec.build(empty).generalize(empty, 0).to_list() == []


@pytest.mark.parametrize("name", [name for name in EXAMPLES if name not in BY_COLUMN])
def test_a_row_wise_builder_labels_a_value_whatever_else_there_is(name: str) -> None:
    fields, values = EXAMPLES[name]
    spec = HIERARCHIES.parse({"hierarchy": name, **fields})
    assert spec.row_wise
    column = pl.Series("c", values).drop_nulls()
    together = spec.build(column).generalize(column, 1).to_list()
    apart = [
        spec.build(cell).generalize(cell, 1)[0]
        for cell in (column[i : i + 1] for i in range(len(column)))
    ]
    assert together == apart


def test_a_path_stands_for_a_file() -> None:
    assert as_builder("sexes.csv") == File(path="sexes.csv")
    assert build_hierarchy("sexes.csv").n_labels == (2, 1)


def test_an_inline_tree_needs_no_kind() -> None:
    assert as_builder({"tree": {"x": ["a"]}}) == Tree(tree={"x": ["a"]})


def test_builders_and_hierarchies_stand_for_themselves() -> None:
    assert as_builder(Digits()) == Digits()
    built = build_hierarchy(Digits(), ["12"])
    assert build_hierarchy(built) is built


def test_a_hierarchy_in_a_spec_becomes_a_tree() -> None:
    ages = Hierarchy.of([pl.Series([34, 41]), pl.Series(["young", "old"])], ["age", "group"])
    holder = Holder(hierarchy=ages)
    assert Holder.parse(holder.to_dict()) == holder
    again = holder.hierarchy.build(pl.Series([34]))
    assert again.generalize(pl.Series([41]), "group").to_list() == ["old"]


def test_a_builder_of_ones_own_passes() -> None:
    class Parity(HierarchyBuilder):
        """Even or odd."""

        hierarchy: Annotated[str, "kind"] = "parity"

        def build(self, values: pl.Series) -> Hierarchy:
            cells = values.unique().sort()
            return Hierarchy.of([cells, (cells % 2).cast(pl.String)])

    holder = Holder(hierarchy=Parity())
    assert holder.hierarchy.build(pl.Series([3, 4])).n_labels == (2, 2, 1)


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ({"hierarchy": "interval"}, "Unknown hierarchy 'interval'. Did you mean 'intervals'?"),
        ({"width": 5}, "Give the hierarchy"),
        ({"hierarchy": "digits", "chars": 1}, "hierarchy.digits.chars: Unknown field"),
    ],
)
def test_mistakes_are_listed_with_their_path(raw: dict[str, Any], message: str) -> None:
    with pytest.raises(SpecError) as caught:
        Holder.parse({"hierarchy": raw})
    assert message in str(caught.value)


def test_the_json_schema_knows_paths_and_builders() -> None:
    schema = Holder.model_json_schema()["properties"]["hierarchy"]
    kinds = [choice.get("type", "builders") for choice in schema["anyOf"]]
    assert kinds == ["string", "builders"]


def test_a_description_is_plain_data_and_bounded() -> None:
    described = describe(
        build_hierarchy({"hierarchy": "intervals", "width": 5}, range(100)), most=2
    )
    assert json.loads(json.dumps(described)) == described
    assert described["n_values"] == 100
    assert described["levels"][1] == {
        "level": 1, "name": "1", "n_labels": 20, "labels": ["[0, 5)", "[5, 10)"],
    }  # fmt: skip
