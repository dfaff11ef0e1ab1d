from __future__ import annotations

from collections import Counter
from typing import Any

import polars as pl
import pytest

from microveil.errors import ColumnError, HierarchyError, RolesError
from microveil.methods.mondrian.step import Mondrian
from microveil.tables import Roles
from tests.methods.mondrian.cases import (
    TOWNS,
    applied,
)


def test_missing_keys_are_cut_off_and_never_averaged_in() -> None:
    frame = pl.DataFrame({"age": [None, 30, None, 50]})
    roles = Roles(quasi_identifiers=["age"])
    assert applied(frame, roles, k=2).table.frame["age"].to_list() == [
        None,
        "[30, 50]",
        None,
        "[30, 50]",
    ]
    centred = applied(frame, roles, k=2, publish="centroids")
    assert centred.table.frame["age"].to_list() == [None, 40.0, None, 40.0]
    assert centred.facts["n_withheld"] == {"age": 0}


def test_trees_are_cut_between_branches() -> None:
    frame = pl.DataFrame({"town": ["Lyon", "Milan", "Paris", "Bari", "Turin", "Nice"]})
    roles = Roles(quasi_identifiers=["town"])
    how: dict[str, Any] = {"k": 2, "hierarchies": {"town": {"tree": TOWNS}}}
    assert applied(frame, roles, **how).table.frame["town"].to_list() == [
        "FR",
        "IT",
        "FR",
        "IT",
        "IT",
        "FR",
    ]
    sets = applied(frame, roles, **how, publish="ranges").table.frame["town"].to_list()
    assert [sorted(label.strip("{}").split(", ")) for label in sets[:2]] == [
        ["Lyon", "Nice", "Paris"],
        ["Bari", "Milan", "Turin"],
    ]


def test_unlisted_values_are_an_error_or_a_star() -> None:
    frame = pl.DataFrame({"town": ["Lyon", "Lyon", "Oz", "Ys"]})
    roles = Roles(quasi_identifiers=["town"])
    how: dict[str, Any] = {"k": 2, "hierarchies": {"town": {"tree": TOWNS}}}
    with pytest.raises(HierarchyError, match=r"'town': 2 distinct values \(2 records\)"):
        applied(frame, roles, **how)
    starred = applied(frame, roles, **how, unlisted="star").table.frame
    assert starred["town"].to_list() == ["Lyon", "Lyon", "*", "*"]


def test_frequent_categories_come_first_where_there_is_no_hierarchy() -> None:
    frame = pl.DataFrame({"x": ["c", "a", "c", "b", "c", "a"]})
    after = applied(frame, Roles(quasi_identifiers=["x"]), k=2).table.frame
    assert after["x"].to_list() == ["c", "{a, b}", "c", "{a, b}", "c", "{a, b}"]


def test_enumerations_keep_their_order() -> None:
    size = pl.Enum(["small", "medium", "large", "huge"])
    frame = pl.DataFrame({"size": pl.Series(["huge", "small", "large", "medium"], dtype=size)})
    after = applied(frame, Roles(quasi_identifiers=["size"]), k=2).table.frame
    assert after["size"].to_list() == [
        "[large, huge]",
        "[small, medium]",
        "[large, huge]",
        "[small, medium]",
    ]
    centred = applied(frame, Roles(quasi_identifiers=["size"]), k=2, publish="centroids")
    assert centred.table.frame["size"].to_list() == ["large", "small", "large", "small"]
    assert centred.table.frame.schema["size"] == size


def test_numbers_too_far_apart_to_be_counted_are_cut_by_rank() -> None:
    frame = pl.DataFrame({"x": [-(2**62), 0, 2**62, 5], "y": [1e-300, 1e300, -1e308, 1e308]})
    for name, labels in {
        "x": ["[-4611686018427387904, 0]", "[5, 4611686018427387904]"],
        "y": ["[-1e+308, 1e-300]", "[1e+300, 1e+308]"],
    }.items():
        after = applied(frame, Roles(quasi_identifiers=[name]), k=2).table.frame
        assert sorted(set(after[name])) == sorted(labels)


def test_every_kind_of_key_can_be_cut(any_column: pl.Series) -> None:
    frame = any_column.to_frame()
    for publish in ("ranges", "centroids"):
        after = Mondrian(k=2, columns="x", publish=publish).protect(frame)
        assert min(Counter(after["x"].to_list()).values()) >= 2


def test_infinite_numbers_are_refused() -> None:
    with pytest.raises(ColumnError, match="'x' holds 2 numbers that are infinite"):
        Mondrian(k=2, columns="x").protect({"x": [1.0, float("inf"), float("-inf")]})


def test_keys_must_be_known_and_plain(nested: pl.DataFrame) -> None:
    with pytest.raises(RolesError, match="needs keys"):
        Mondrian(k=2).protect({"x": [1, 2]})
    with pytest.raises(ColumnError, match="No column 'y'"):
        Mondrian(k=2, columns="y").protect({"x": [1, 2]})
    with pytest.raises(ColumnError, match="nested"):
        Mondrian(k=2, columns="x").protect(nested)
    with pytest.raises(ColumnError, match=r"hierarchy for 'yy', which is not one of its keys"):
        Mondrian(k=2, columns="x", hierarchies={"yy": {"hierarchy": "types"}}).protect({"x": [1]})
