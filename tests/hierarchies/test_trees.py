"""Trees of categories in plain data and in YAML."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.errors import HierarchyError
from microveil.hierarchies import (
    from_tree,
    read_hierarchy,
    to_tree,
    write_hierarchy,
)
from microveil.hierarchies.trees import format_yaml, parse_yaml

EUROPE: dict[str, Any] = {"Europe": {"West": ["FR", "DE"], "East": ["PL"]}, "Other": ["XX"]}


def test_a_tree_is_read_from_its_top_label_to_its_values() -> None:
    assert from_tree(EUROPE, ["land", "part", "continent"]).frame.rows(named=True)[0] == {
        "land": "FR",
        "part": "West",
        "continent": "Europe",
        "*": "*",
    }


def test_a_short_branch_keeps_its_nearest_label() -> None:
    assert from_tree(EUROPE).frame.rows()[-1] == ("XX", "Other", "Other", "*")


def test_a_key_with_nothing_below_is_a_value() -> None:
    assert from_tree({"x": {"a": None, "b": None}, "c": None}).frame.rows() == [
        ("a", "x", "*"),
        ("b", "x", "*"),
        ("c", "*", "*"),
    ]


def test_lists_may_hold_branches() -> None:
    assert from_tree([{"x": ["a"]}, {"y": ["b"]}]).frame.rows() == [
        ("a", "x", "*"),
        ("b", "y", "*"),
    ]


def test_a_single_star_on_top_is_the_top() -> None:
    assert from_tree({"*": {"x": ["a"]}}).frame.rows() == [("a", "x", "*")]


def test_numbers_and_dates_of_a_recipe_are_read_as_their_text() -> None:
    tree = {"x": [1, 2.0, 0.5, date(2021, 3, 4)]}
    assert from_tree(tree).values.to_list() == ["1", "2", "0.5", "2021-03-04"]


@pytest.mark.parametrize("tree", [None, {}, [], {"x": []}])
def test_an_empty_tree_is_refused(tree: Any) -> None:
    with pytest.raises(HierarchyError, match="empty"):
        from_tree(tree)


def test_an_unquoted_no_is_refused_with_the_remedy() -> None:
    with pytest.raises(HierarchyError, match="in quotes"):
        from_tree({"Nordic": ["SE", False]})


def test_lists_within_lists_are_refused() -> None:
    with pytest.raises(HierarchyError, match="mappings, lists and plain values"):
        from_tree({"x": [["a"]]})


def test_a_tree_that_refers_to_itself_is_refused() -> None:
    with pytest.raises(HierarchyError, match="refers to itself"):
        parse_yaml("&a {x: *a}")


@pytest.mark.parametrize("levels", ["land", "[[a], b]", "{a: b}"])
def test_level_names_must_be_a_list_of_names(levels: str) -> None:
    with pytest.raises(HierarchyError, match="`levels` must be a list of names"):
        parse_yaml(f"levels: {levels}\ntree: {{x: [a]}}")


@pytest.mark.parametrize("ending", ["yaml", "yml"])
def test_a_written_tree_reads_back_the_same(tmp_path: Path, ending: str) -> None:
    tree = from_tree(EUROPE, ["land", "part", "continent"])
    path = tmp_path / f"h.{ending}"
    write_hierarchy(tree, path)
    again = read_hierarchy(path)
    assert again.frame.equals(tree.frame)


labels = st.text(min_size=1, max_size=3).filter(lambda text: text.isprintable())


trees = st.dictionaries(
    labels, st.lists(labels, min_size=1, max_size=4, unique=True), min_size=1, max_size=4
)


@given(trees)
def test_any_tree_survives_yaml(tree: dict[str, list[str]]) -> None:
    unique = {label: [f"{label}/{value}" for value in values] for label, values in tree.items()}
    hierarchy = from_tree(unique)
    assert parse_yaml(format_yaml(hierarchy)).frame.equals(hierarchy.frame)
    assert from_tree(to_tree(hierarchy)).frame.equals(hierarchy.frame)


def test_every_scalar_of_a_yaml_file_is_text() -> None:
    tree = parse_yaml("{Nordic: [SE, NO], codes: [01234, 1.50, 2021-03-04, null]}")
    assert tree.values.to_list() == ["SE", "NO", "01234", "1.50", "2021-03-04", "null"]


def test_a_label_twice_in_one_place_is_refused() -> None:
    with pytest.raises(HierarchyError, match="line 1: a label occurs twice"):
        parse_yaml("{x: [a], x: [b]}")


def test_bad_yaml_is_refused_with_its_line() -> None:
    with pytest.raises(HierarchyError, match=r"h\.yaml: .* not valid YAML in line 2"):
        parse_yaml("x: [a]\n  y: [b", source="h.yaml")
