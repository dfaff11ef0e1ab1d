from __future__ import annotations

import polars as pl
import pytest

from microveil.errors import HierarchyError
from microveil.hierarchies import Distinct, Tree
from microveil.search.lattice.staircases import Staircase, staircase

TREE = Tree(tree={"FR": ["Lyon", "Paris"], "IT": ["Rome"]})
TOWNS = pl.Series("town", ["Lyon", "Rome", None, "Lyon"])


def by_value(stair: Staircase, level: int) -> dict[str | None, tuple[int, float]]:
    names = [*stair.distinct.values.to_list(), None]
    pairs = zip(stair.labels[level].tolist(), stair.shares[level].tolist(), strict=True)
    return dict(zip(names, pairs, strict=True))


def test_each_value_has_a_label_and_a_share_of_the_hierarchy_at_each_level() -> None:
    stair = staircase(TOWNS, TREE, "error")
    assert stair.height == 2
    assert stair.n_leaves == 3
    lowest, middle, top = (by_value(stair, level) for level in range(3))
    assert len({label for label, _ in lowest.values()}) == 3
    assert middle["Lyon"][1] == pytest.approx(2 / 3)
    assert middle["Rome"][1] == pytest.approx(1 / 3)
    assert middle[None][1] == pytest.approx(1 / 3)
    assert set(top.values()) == {(0, 1.0)}


def test_a_level_is_published_with_missing_cells_until_the_last() -> None:
    stair = staircase(TOWNS, TREE, "error")
    assert stair.publish(TOWNS, 0).to_list() == TOWNS.to_list()
    assert stair.publish(TOWNS, 1).to_list() == ["FR", "IT", None, "FR"]
    assert stair.publish(TOWNS, 2).to_list() == ["*"] * 4


def test_unlisted_values_are_an_error_or_a_star_that_covers_everything() -> None:
    towns = pl.Series("town", ["Lyon", "Oz"])
    with pytest.raises(HierarchyError, match="1 distinct value"):
        staircase(towns, TREE, "error")
    stair = staircase(towns, TREE, "star")
    assert stair.publish(towns, 0).to_list() == ["Lyon", "*"]
    assert by_value(stair, 0)["Oz"][1] == 1.0


def test_values_of_another_table_get_the_same_labels_or_none() -> None:
    stair = staircase(TOWNS, TREE, "error")
    others = Distinct.of(pl.Series("town", ["Paris", "Rome", "Oz"]))
    labels = stair.labels_of_others(others)
    place = {name: i for i, name in enumerate(others.values.to_list())}
    assert labels[1, place["Paris"]] == by_value(stair, 1)["Lyon"][0]
    assert labels[0, place["Paris"]] == -1
    assert labels[0, place["Rome"]] == by_value(stair, 0)["Rome"][0]
    assert labels[1, place["Oz"]] == -1
    assert set(labels[2].tolist()) == {0}


def test_a_column_without_values_has_two_levels() -> None:
    nothing = pl.Series("town", [None, None], dtype=pl.String)
    stair = staircase(nothing, TREE, "error")
    assert stair.height == 1
    assert stair.publish(nothing, 1).to_list() == ["*", "*"]
