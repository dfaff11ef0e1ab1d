from __future__ import annotations

import polars as pl
import pytest

import microveil as mv
from microveil.tabulation.dimensions import Nodes, flat_rows
from microveil.tabulation.tabulation import MISSING


def test_a_branch_with_one_part_is_that_part() -> None:
    dimension = Nodes("city").dimension([("Lyon", "FR"), ("Paris", "FR"), ("Rome", "IT")], "Total")
    assert dimension.codes == ("Total", "FR", "Lyon", "Paris", "IT", "Rome")
    assert dimension.depths == (0, 1, 2, 2, 1, 2)
    numbers = dict(zip(dimension.codes, dimension.nodes.tolist(), strict=True))
    assert numbers["IT"] == numbers["Rome"]
    assert len(set(numbers.values())) == 5
    assert dimension.total == numbers["Total"]


def test_the_same_leaves_are_one_node_in_another_hierarchy() -> None:
    nodes = Nodes("city")
    one = nodes.dimension([("a", "x"), ("b", "x"), ("c", "y")], "Total")
    other = nodes.dimension([("a", "u"), ("b", "u"), ("c", "v")], "All")
    assert one.nodes[1] == other.nodes[1]
    assert one.total == other.total


def test_missing_values_have_a_code_of_their_own() -> None:
    rows = flat_rows(pl.Series(["b", None, "a"]))
    assert rows == [("a",), ("b",), (MISSING,)]
    dimension = Nodes("x").dimension(rows, "Total")
    assert dimension.leaf_numbers(pl.Series(["a", None])).tolist() == [0, 2]


def test_a_code_that_the_hierarchy_lacks_is_named() -> None:
    dimension = Nodes("city").dimension([("a",)], "Total")
    with pytest.raises(mv.HierarchyError, match=r"'city' has the code 'b'.*2 rows"):
        dimension.leaf_numbers(pl.Series(["b", "a", "b"]))
