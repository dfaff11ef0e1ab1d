from __future__ import annotations

import polars as pl
import pytest

from microveil.errors import SpecError
from microveil.hierarchies import (
    HIERARCHIES,
    Tree,
    from_tree,
)


def test_a_tree_in_a_recipe_lists_its_problems_as_spec_errors() -> None:
    for raw in (
        {"tree": {"x": ["a"], "y": ["a"]}},
        {"tree": {"x": [True]}},
        {"tree": {"x": ["a"]}, "levels": ["one"]},
        {"tree": 3.5j},
    ):
        with pytest.raises(SpecError):
            HIERARCHIES.parse({"hierarchy": "tree", **raw})


def test_a_tree_in_a_recipe_survives_plain_data() -> None:
    spec = Tree(tree={"x": [1, {"y": ["b"]}], "z": {"c": None}})
    assert HIERARCHIES.parse(spec.to_dict()) == spec
    assert spec.build(pl.Series([1])).frame.rows() == from_tree(spec.tree).frame.rows()
