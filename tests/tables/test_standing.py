"""Standing: class sizes summed up by rows and by people, counted once and recounted by hand."""

from __future__ import annotations

from collections import Counter
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import microveil as mv
from microveil.tables import (
    Classes,
    LazyTable,
    Missing,
    Roles,
    Standing,
    Table,
    standing,
    standings,
)
from microveil.tables import classes as classes_module
from microveil.tables.class_sources import class_source

VISITS = {"who": [1, 1, 2, 3, 3, 4], "town": ["x", "x", "y", "z", "z", "z"]}
ROLES = Roles(quasi_identifiers=["town"], entity="who")


def test_rows_and_people_are_both_counted() -> None:
    found = standing(Table(VISITS, ROLES))
    assert (found.counts, found.entity) == ("people", "who")
    assert (found.n_records, found.n_people, found.n_classes, found.k) == (6, 4, 3, 1)
    assert (found.n_unique, found.n_unique_people) == (3, 2)
    assert found.average_risk == pytest.approx((1 + 1 + 0.5 + 0.5) / 4)
    assert found.unique_words() == "3 of 6 records are unique (2 of 4 people)"
    assert found.to_dict()["n_people"] == 4


def test_without_an_entity_rows_are_people() -> None:
    found = standing(Table(VISITS), keys=["town"])
    assert (found.counts, found.n_people, found.n_unique) == ("records", None, 1)
    assert found.average_risk == pytest.approx(3 / 6)
    assert found.unique_words() == "1 of 6 records are unique"
    assert "n_people" not in found.to_dict()


def test_an_empty_table_has_no_risk() -> None:
    found = standing(Table({"a": []}), keys=["a"])
    assert (found.k, found.n_unique, found.average_risk, found.highest_risk) == (0, 0, 0.0, 0.0)
    assert (found.unique_share, found.below_share(3)) == (0.0, 0.0)


def test_every_scenario_has_a_standing() -> None:
    roles = Roles(quasi_identifiers=["a"], scenarios={"other": ["b"]})
    found = standings(Table({"a": [1, 1], "b": [1, 2]}, roles))
    assert {name: one.k for name, one in found.items()} == {None: 2, "other": 1}
    assert standings(Table({"a": [1]})) == {}


@pytest.mark.parametrize("missing", ["category", "wildcard"])
@given(st.lists(st.tuples(st.sampled_from([1, 2, None]), st.sampled_from("xy")), max_size=8))
def test_sizes_are_those_of_a_count_by_hand(missing: Missing, rows: list[tuple[Any, str]]) -> None:
    frame = pl.DataFrame(rows, schema={"a": pl.Int64, "b": pl.String}, orient="row")
    found = standing(Table(frame), missing, ["a", "b"])

    def alike(one: tuple[Any, str], other: tuple[Any, str]) -> bool:
        gap = missing == "wildcard" and (one[0] is None or other[0] is None)
        return one[1] == other[1] and (gap or one[0] == other[0])

    sizes = [sum(alike(one, other) for other in rows) for one in rows]
    assert found.n_unique == sizes.count(1)
    assert found.k == min(sizes, default=0)
    assert found.n_below(3) == sum(size < 3 for size in sizes)
    assert dict(found.sizes.select("size", "n_records").rows()) == Counter(sizes)
    assert found.average_risk == pytest.approx(
        sum(1 / size for size in sizes) / len(sizes) if sizes else 0.0
    )


def test_sparse_sizes_are_counted_like_dense_ones() -> None:
    table = Table({"a": [1] * 5_000 + [2]})
    assert standing(table, keys=["a"]).sizes.rows() == [(1, 1, 1), (5_000, 1, 5_000)]


def test_a_plan_stands_like_its_table() -> None:
    frame, roles = pl.DataFrame(VISITS), ROLES
    lazy, table = (standing(one) for one in (LazyTable(frame.lazy(), roles), Table(frame, roles)))
    assert lazy.to_dict() == table.to_dict()


def test_a_table_counts_its_classes_once(monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[tuple[str, ...]] = []
    count = class_source

    def counting(table: Any, columns: tuple[str, ...]) -> Any:
        counted.append(columns)
        return count(table, columns)

    monkeypatch.setattr(classes_module, "class_source", counting)
    table = Table({"a": [1, 1, None], "b": [1, 2, 3]}, Roles(quasi_identifiers=["a"]))
    for missing in ("category", "wildcard", "category"):
        standing(table, missing)
    standing(table.with_roles(Roles(quasi_identifiers=["a"], sensitive=["b"])))
    assert counted == [("a",)]
    standing(table, keys=["b"])
    standing(table, keys=["b"])
    assert counted == [("a",), ("b",), ("b",)]


def test_other_people_are_counted_anew() -> None:
    table = Table(VISITS, ROLES)
    assert standing(table).n_people == 4
    assert standing(table.with_roles(Roles(quasi_identifiers=["town"]))).n_people is None


def test_what_was_counted_does_not_hold_its_table() -> None:
    table = Table(VISITS, ROLES)
    assert Classes.of(table).table is table
    assert table.known_classes
    assert all(getattr(one, "table", None) is None for one in table.known_classes.values())
    assert "known_classes" not in table.__getstate__()


def test_a_run_groups_what_it_releases_once(monkeypatch: pytest.MonkeyPatch) -> None:
    grouped: list[pl.DataFrame] = []
    count = class_source

    def counting(table: Any, columns: tuple[str, ...]) -> Any:
        grouped.append(table.frame.select(columns))
        return count(table, columns)

    monkeypatch.setattr(classes_module, "class_source", counting)
    recipe = mv.Recipe.read("examples/patients.yaml")
    release = mv.run(recipe, mv.read("examples/patients.csv"), seed=1)
    assert release.risk.k >= 1
    keys = release.table.frame.select(release.table.roles.quasi_identifiers)
    assert sum(frame.equals(keys) for frame in grouped) == 1


def test_a_standing_of_classes_is_that_of_their_table() -> None:
    table = Table(VISITS, ROLES)
    assert Standing.of(Classes.of(table)).to_dict() == standing(table).to_dict()
