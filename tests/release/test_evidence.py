from __future__ import annotations

import polars as pl

import microveil as mv
from microveil.release.evidence import Evidence, with_people
from microveil.tables import Table

FRAME = pl.DataFrame({"who": [1, 1, 2, 3], "age": [30, 30, 40, 50], "ill": ["x", "y", "x", "x"]})
ROLES = mv.Roles(entity="who", quasi_identifiers=["age"], sensitive=["ill"])
ORIGINAL = Table(FRAME, ROLES)


def test_rows_of_a_person_stay_rows_of_one_when_the_id_is_gone() -> None:
    dropped = Table(FRAME.drop("who"), ROLES.without(["who"]))
    told = Evidence.of(dropped, None, ORIGINAL).records
    assert isinstance(told, Table)
    assert told.people is not None
    people = told.people.tolist()
    assert people[0] == people[1]
    assert len(set(people)) == 3


def test_nobody_is_guessed_where_the_row_link_is_unknown() -> None:
    other = Table(FRAME.drop("who").head(2), ROLES.without(["who"]))
    assert with_people(other, ORIGINAL).people is None


def test_columns_that_are_held_back_are_no_keys() -> None:
    told = Evidence.of(ORIGINAL, None, ORIGINAL, held_back=["age"])
    assert told.roles.quasi_identifiers == ()
    assert told.roles.sensitive == ("ill",)


def test_links_to_several_values_are_looked_at_only_where_they_are_needed() -> None:
    table = Table(FRAME.select("age"), mv.Roles(quasi_identifiers=["age"]))
    twice = pl.concat([FRAME.select("age", "ill")] * 2)
    joined = Table(twice, mv.Roles(quasi_identifiers=["age"], sensitive=["ill"]))
    told = Evidence.of(table, joined, Table(FRAME, joined.roles))
    assert told.possible is not None
    assert told.with_columns(["age"]).height == 4
    assert told.with_columns(["age", "ill"]).height == 8
    assert told.roles.sensitive == ("ill",)
    same = Evidence.of(table, Table(FRAME.select("age", "ill"), joined.roles), ORIGINAL)
    assert same.possible is None
    assert same.records_have(["ill"])
