from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from microveil.methods.drop import Drop
from microveil.methods.local_suppression import LocalSuppression
from microveil.methods.local_suppression.people import People, person_codes, row_people
from microveil.methods.local_suppression.rows import distinct_rows
from microveil.tables import Classes, Missing, Roles, Table
from tests.methods.local_suppression.cases import both_ways, n_matches

Row = tuple[Any, ...]


@st.composite
def visits(draw: st.DrawFn) -> tuple[pl.DataFrame, int]:
    """Rows of a few people: what they have in common, and what differs from row to row."""
    n_people = draw(st.integers(3, 8))
    value = st.one_of(st.integers(0, 2), st.integers(0, 2), st.none())
    rows = []
    for person in range(n_people):
        own, home = draw(value), draw(st.integers(0, 3))
        for _ in range(draw(st.integers(1, 4))):
            area = draw(st.integers(0, 1))
            rows.append((person, home, area, own, home % 2, draw(value), draw(value)))
    names = ["person", "home", "area", "own", "shared", "first", "second"]
    return pl.DataFrame(rows, schema=names, orient="row"), draw(st.integers(2, 3))


def smallest_crowd(frame: pl.DataFrame, keys: list[str], missing: Missing) -> int:
    """Fewest people who could be the one of a row, counted one by one."""
    rows = frame.select("person", *keys).rows()
    if missing == "category":
        holders: dict[Row, set[int]] = defaultdict(set)
        for person, *cells in rows:
            holders[tuple(cells)].add(person)
        return min(len(people) for people in holders.values())
    return min(
        len(
            {person for person, *other in rows if n_matches(tuple(cells), [tuple(other)], strict=1)}
        )
        for _, *cells in rows
    )


def smallest_set(frame: pl.DataFrame, keys: list[str]) -> int:
    """Fewest people who have the same set of rows."""
    sets: dict[int, set[Row]] = defaultdict(set)
    for person, *cells in frame.select("person", *keys).rows():
        sets[person].add(tuple(cells))
    alike = [frozenset(rows) for rows in sets.values()]
    return min(alike.count(rows) for rows in alike)


def suppressed(table: Table, **fields: Any) -> pl.DataFrame:
    outcome = LocalSuppression(**fields).apply(table, np.random.default_rng(0))
    return outcome.table.frame


@both_ways
@pytest.mark.parametrize("household", [None, "home"])
@pytest.mark.parametrize("scenarios", [{}, {"other": ["second", "area"]}])
@settings(max_examples=40, deadline=None)
@given(made=visits())
def test_k_people_share_every_row_when_ids_are_dropped(
    missing: Missing,
    household: str | None,
    scenarios: dict[str, list[str]],
    made: tuple[pl.DataFrame, int],
) -> None:
    frame, k = made
    keys = ["own", "shared", "first", "second"]
    roles = Roles(quasi_identifiers=keys, entity="person", household=household, scenarios=scenarios)
    chance = np.random.default_rng(0)
    without = Drop(columns=["person"]).apply(Table(frame, roles), chance).table
    after = LocalSuppression(k=k, missing=missing).apply(without, chance).table
    shown = after.frame.with_columns(frame["person"])
    for names in (keys, *scenarios.values()):
        assert smallest_crowd(shown, names, missing) >= k
        assert Classes.of(after, names, missing).k >= k


@both_ways
@pytest.mark.parametrize("strata", [(), ("area",)])
@settings(max_examples=40, deadline=None)
@given(made=visits())
def test_k_people_share_all_their_rows_when_ids_are_kept(
    missing: Missing, strata: tuple[str, ...], made: tuple[pl.DataFrame, int]
) -> None:
    frame, k = made
    keys = ["own", "first", "second"]
    roles = Roles(quasi_identifiers=keys, entity="person", strata=strata)
    crowds = [len(set(part["person"])) for part in frame.partition_by("area")]
    assume(not strata or min(crowds) >= k)
    table = Table(frame, roles)
    after = LocalSuppression(k=k, missing=missing).apply(table, np.random.default_rng(0)).table
    assert Classes.of(after, keys, missing).k >= k
    if missing == "category":
        assert smallest_set(after.frame, keys) >= k


@settings(max_examples=60, deadline=None)
@given(made=visits())
def test_a_suppressed_cell_stands_in_no_other_row_of_the_person_or_household(
    made: tuple[pl.DataFrame, int],
) -> None:
    frame, k = made
    roles = Roles(quasi_identifiers=["own", "shared", "first"], entity="person", household="home")
    after = suppressed(Table(frame, roles), k=k)
    for column, of in (("own", "person"), ("shared", "home")):
        gone = frame.select(of, was=column, now=after[column]).filter(
            pl.col("was").is_not_null() & pl.col("now").is_null()
        )
        others = after.filter(pl.col(of).is_in(gone[of].implode()))
        assert others[column].null_count() == others.height


def test_equal_codes_mean_equal_sets_of_rows() -> None:
    rng = np.random.default_rng(1)
    codes = rng.integers(-1, 2, (60, 2)).astype(np.int32)
    people = People(np.repeat(np.arange(20), 3), linked=True)
    rows = distinct_rows(codes)
    found = person_codes(rows, row_people(rows, people), people)
    assert found is not None
    sets = [frozenset(map(tuple, codes[people.of_record == one].tolist())) for one in range(20)]
    told = [tuple(row) for row in found[0].tolist()]
    for one in range(20):
        for other in range(20):
            assert (told[one] == told[other]) == (sets[one] == sets[other])


def test_one_record_each_is_as_without_people() -> None:
    rng = np.random.default_rng(2)
    frame = pl.DataFrame(rng.integers(0, 6, (200, 3)), schema=["a", "b", "c"]).with_row_index("id")
    keys = ["a", "b", "c"]
    plain = suppressed(Table(frame, Roles(quasi_identifiers=keys)), k=4)
    people = suppressed(Table(frame, Roles(quasi_identifiers=keys, entity="id")), k=4)
    assert people.equals(plain)


def test_what_a_person_has_in_all_rows_costs_no_more_than_once() -> None:
    rng = np.random.default_rng(3)
    persons = pl.DataFrame(rng.integers(0, 7, (300, 3)), schema=["a", "b", "c"]).with_row_index(
        "id"
    )
    keys = ["a", "b", "c"]
    roles = Roles(quasi_identifiers=keys, entity="id")
    once = suppressed(Table(persons, roles), k=3)
    often = suppressed(Table(pl.concat([persons] * 4), roles), k=3)
    assert often.equals(pl.concat([once] * 4))
