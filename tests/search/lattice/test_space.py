from __future__ import annotations

from collections import Counter
from typing import Any

import polars as pl
import pytest

from microveil.errors import HierarchyError, InputError
from microveil.search.lattice.lattice_search import search_lattice
from microveil.tables import Roles
from tests.search.exhaustive import HIERARCHIES, ROLES, table


def test_levels_can_be_settled_or_bounded_by_number_or_name() -> None:
    how: dict[str, Any] = {"k": 2, "hierarchies": HIERARCHIES, "loss": "height"}
    settled = search_lattice(table(), ROLES, levels={"b": 2}, **how)
    assert settled.n_nodes == 9
    assert settled.optimum is not None
    assert settled.optimum.levels["b"] == 2
    bounded = search_lattice(table(), ROLES, min_levels={"a": 1}, max_levels={"b": 1}, **how)
    assert bounded.n_nodes == 2 * 2 * 3
    with pytest.raises(InputError, match="range of levels"):
        search_lattice(table(), ROLES, min_levels={"a": 2}, max_levels={"a": 1}, **how)
    with pytest.raises(HierarchyError, match="No level"):
        search_lattice(table(), ROLES, max_levels={"a": 9}, **how)


def test_keys_with_too_many_labels_for_one_word_are_searched_all_the_same() -> None:
    n = 4000
    frame = pl.DataFrame({f"k{i}": [(7 * j + i) % n for j in range(n)] for i in range(7)})
    roles = Roles(quasi_identifiers=frame.columns)
    result = search_lattice(frame, roles, k=2, strategy="best_first", max_checks=60)
    assert result.optimum is not None
    levels = tuple(result.optimum.levels.values())
    ids = Counter(
        zip(
            *(
                ["*" if level > 4 else value - value % 10**level for value in frame[name]]
                for name, level in zip(frame.columns, levels, strict=True)
            ),
            strict=True,
        )
    )
    assert min(ids.values()) >= 2


def test_what_a_hierarchy_publishes_as_a_star_is_one_label_with_what_it_does_not_list() -> None:
    frame = pl.DataFrame({"zip": ["17", "17", "080"], "x": ["u", "u", "u"]})
    known = {"zip": {"hierarchy": "tree", "tree": {"*": ["17"], "other": ["99"]}}}
    best = search_lattice(
        frame, Roles(quasi_identifiers=["zip"]), k=3, hierarchies=known, unlisted="star"
    ).optimum
    assert best is not None
    assert best.levels == {"zip": 1}
