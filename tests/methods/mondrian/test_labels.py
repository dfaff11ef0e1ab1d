from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.methods.mondrian.step import Mondrian
from microveil.tables import Roles
from tests.methods.mondrian.cases import (
    BRANCHES,
    KEYS,
    applied,
    class_members,
    frame_of,
    options,
    tables,
    with_target,
)


def covers(label: Any, value: Any) -> bool:
    """Whether a published range, set or label is true of a value."""
    if label is None:
        return True
    if value is None:
        return False
    text = f"{value:g}" if isinstance(value, float) else str(value)
    if label == text:
        return True
    if ends := re.fullmatch(r"\[(.+), (.+)\]", label):
        kind = type(value) if not isinstance(value, dt.date) else dt.date.fromisoformat
        return bool(kind(ends[1]) <= value <= kind(ends[2]))
    if members := re.fullmatch(r"\{(.+)\}", label):
        return text in members[1].split(", ")
    return text in BRANCHES[label]


@given(tables, options)
def test_what_is_published_is_true_of_every_record(records: list[Any], how: dict[str, Any]) -> None:
    if len(records) < how["k"] or how["publish"] == "centroids":
        return
    before = frame_of(records)
    outcome = applied(before, **with_target(how))
    after = outcome.table.frame
    for name in KEYS:
        labels = after[name].cast(pl.String) if name in ("age", "town", "born") else after[name]
        labels = (
            labels
            if labels.dtype == pl.String
            else labels.map_elements(lambda number: f"{number:g}", return_dtype=pl.String)
        )
        assert all(map(covers, labels, before[name]))
        withheld = after[name].null_count() - before[name].null_count()
        assert outcome.facts["n_withheld"][name] == withheld
    assert after.select("id", "ill").equals(before.select("id", "ill"))


@given(tables, st.sampled_from(["strict", "relaxed"]))
def test_ranges_end_in_values_of_their_own_class(records: list[Any], mode: str) -> None:
    before = frame_of(records).select("age", "id")
    after = applied(before, Roles(quasi_identifiers=["age"]), k=2, mode=mode).table.frame
    if after["age"].dtype != pl.String:
        return
    for label in set(after["age"].drop_nulls()):
        ends = [int(end) for end in re.findall(r"\d+", label)]
        inside = before.filter(after["age"] == label)["age"].to_list()
        assert [min(inside), max(inside)] == [ends[0], ends[-1]]


@given(tables, st.integers(2, 4), st.sampled_from(["strict", "relaxed"]))
def test_centroids_are_means_medians_and_modes(records: list[Any], k: int, mode: str) -> None:
    if len(records) < k:
        return
    before = frame_of(records)
    after = applied(before, k=k, mode=mode, publish="centroids").table.frame
    assert after.schema == before.schema | {"age": after.schema["age"]}
    assert after.schema["age"] in (pl.Int64, pl.Float64)
    # Partitions with the same centre are one class, of which the centre says as much.
    for members in class_members(after):
        inside, label = before[members], after[members].row(0, named=True)
        for name in ("age", "wage"):
            values = inside[name].to_list()
            if label[name] is not None:
                assert None not in values
                assert label[name] == pytest.approx(np.mean(values))
            else:
                assert None in values
        assert label["town"] is None or label["town"] in inside["town"].to_list()
        assert label["born"] is None or label["born"] in inside["born"].to_list()


def test_partitions_that_look_alike_once_published_are_one_class() -> None:
    # Relaxed cuts of one key make two partitions of nothing but 5.
    frame = pl.DataFrame({"age": [1, 5, 5, 5, 5, 5, 5, 9]})
    for publish in ("ranges", "centroids"):
        outcome = applied(
            frame, Roles(quasi_identifiers=["age"]), k=2, mode="relaxed", publish=publish
        )
        assert outcome.facts["n_classes"] == outcome.table.frame["age"].n_unique() == 3
        assert outcome.facts["largest"] == 4
    # The branch "x" of one level and the branch "x" of the next are the same text.
    tree = {"x": {"x": ["a", "b"], "y": ["c", "d"]}, "z": ["e"]}
    towns = pl.DataFrame({"t": ["a", "b", "c", "a"], "n": [1, 2, 8, 9]})
    outcome = applied(
        towns, Roles(quasi_identifiers=["n", "t"]), k=2, hierarchies={"t": {"tree": tree}}
    )
    classes = Counter(outcome.table.frame.select("n", "t").rows())
    assert outcome.facts["n_classes"] == len(classes)


def test_a_missing_key_that_stays_in_a_partition_withholds_the_key() -> None:
    frame = pl.DataFrame({"age": [None, 20, 30, 30, 50, 60]})
    outcome = applied(frame, Roles(quasi_identifiers=["age"]), k=2)
    assert outcome.table.frame["age"].to_list() == [None, None, "30", "30", "[50, 60]", "[50, 60]"]
    assert outcome.facts["n_withheld"] == {"age": 1}


def test_numbers_follow_a_hierarchy_only_where_nodes_are_published() -> None:
    frame = pl.DataFrame({"age": [31, 38, 42, 44]})
    roles = Roles(quasi_identifiers=["age"])
    how: dict[str, Any] = {"k": 2, "hierarchies": {"age": {"hierarchy": "intervals", "width": 10}}}
    decades = ["[30, 40)", "[30, 40)", "[40, 50)", "[40, 50)"]
    assert applied(frame, roles, **how).table.frame["age"].to_list() == decades
    assert applied(frame, roles, **how, publish="ranges").table.frame["age"].to_list() == [
        "[31, 38]",
        "[31, 38]",
        "[42, 44]",
        "[42, 44]",
    ]


def test_members_of_a_set_are_told_apart_whatever_they_contain() -> None:
    frame = pl.DataFrame({"x": ["a, b", "{c}", "d\\"], "id": [1, 2, 3]})
    after = applied(frame, Roles(quasi_identifiers=["x"]), k=3).table.frame
    assert set(after["x"]) == {r"{a\, b, d\\, \{c\}}"}


def test_only_centroids_may_be_wrong() -> None:
    assert Mondrian(k=2, publish="centroids").perturbative
    assert not Mondrian(k=2).perturbative


def test_a_key_that_nobody_had_to_coarsen_stays_as_it_is() -> None:
    frame = pl.DataFrame({"age": [30, 30, 40, 40], "sex": ["f", "f", "m", "m"]})
    after = applied(frame, Roles(quasi_identifiers=["age", "sex"]), k=2)
    assert after.table.frame.equals(frame)


def test_the_mean_of_numbers_near_the_largest_one_is_a_number() -> None:
    frame = pl.DataFrame({"x": [1e308, 1.2e308, 1.4e308, -1e308, -1.5e308, -1.7e308]})
    step = Mondrian(k=3, columns="x", publish="centroids")
    found = step.protect(frame)["x"].to_list()
    assert found[:3] == pytest.approx([1.2e308] * 3)
    assert found[3:] == pytest.approx([-1.4e308] * 3)
