from __future__ import annotations

import polars as pl
import pytest

from microveil.errors import InputError, SpecError
from microveil.linked.links import (
    Link,
    check_links,
    check_primary_key,
    in_table,
    n_orphans,
    parents_first,
    propose_links,
)

PEOPLE = pl.DataFrame({"id": [1, 2], "x": ["a", "a"]})
LINK = Link.parse("visits.person_id -> people.id")


def test_a_link_is_read_from_text_and_written_again() -> None:
    assert Link(table="visits", column="person_id", to="people", key="id") == LINK
    assert Link.parse(str(LINK)) == LINK
    with pytest.raises(SpecError, match="A link reads like"):
        Link.parse("visits -> people.id")


@pytest.mark.parametrize(
    ("keys", "people", "says"),
    [
        ([1, 3], PEOPLE, "1 row refers to a row that does not exist"),
        (["1", "2"], PEOPLE, "one key holds String, the other Int64"),
        ([1], pl.DataFrame({"id": [1, 1]}), "1 rows repeat one and 0 have none"),
        ([1], pl.DataFrame({"id": [1, None]}), "0 rows repeat one and 1 have none"),
        ([1], pl.DataFrame({"no": [1]}), "No column 'id'"),
    ],
)
def test_bad_keys_are_refused_in_a_sentence(
    keys: list[object], people: pl.DataFrame, says: str
) -> None:
    visits = pl.DataFrame({"person_id": keys})
    with pytest.raises(InputError, match=says):
        check_links({"visits": visits, "people": people}, [LINK])


def test_an_unknown_table_and_a_circle_are_refused() -> None:
    with pytest.raises(InputError, match="there is no table 'visits'"):
        check_links({"people": PEOPLE}, [LINK])
    circle = [Link.parse("a.b -> b.id"), Link.parse("b.a -> a.id")]
    with pytest.raises(InputError, match="go in a circle"):
        parents_first(["a", "b"], circle)


def test_missing_keys_are_no_orphans() -> None:
    parent = pl.DataFrame({"key": [1]})
    assert n_orphans(pl.DataFrame({"key": [1, None, 5, 5]}), parent) == 2
    assert n_orphans(pl.DataFrame({"key": [None]}), parent) == 0
    check_primary_key("people.id", PEOPLE.select("id"))


def test_links_are_proposed_by_names_and_confirmed_by_values() -> None:
    frames = {
        "people": PEOPLE,
        "visits": pl.DataFrame({"no": [7, 8, 9], "people_id": [1, 1, 2], "x": ["a", "b", "c"]}),
        "labs": pl.DataFrame({"visit": [7, 7], "people_id": [1, 5]}),
    }
    assert [str(one) for one in propose_links(frames)] == [
        "visits.people_id -> people.id",
        "labs.visit -> visits.no",
    ]


def test_a_table_is_named_in_what_is_wrong_with_it() -> None:
    with pytest.raises(InputError, match="Table 'visits': Wrong"), in_table("visits"):
        raise InputError("Wrong.")


def test_tables_with_the_same_keys_are_linked_one_way() -> None:
    ids = {"person_id": [1, 2, 3]}
    found = propose_links({"visits": pl.DataFrame(ids), "people": pl.DataFrame(ids)})
    assert [str(link) for link in found] == ["visits.person_id -> people.person_id"]
