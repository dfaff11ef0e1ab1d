from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from microveil.errors import InputError
from microveil.linked.recipe import People
from microveil.linked.view import Told, person_view
from microveil.tables import Table

FRAMES = {
    "people": pl.DataFrame({"id": [1, 2, 3], "sex": ["f", "m", "f"]}),
    "visits": pl.DataFrame({"ward": ["b", "a", "a"], "day": [3, 1, 2], "cost": [5, None, 7]}),
}
TOLD = {"visits": Told(FRAMES["visits"], np.array([0, 0, 2]))}


def view_of(people: People, **told: Told) -> Table:
    return person_view(people, FRAMES["people"], np.arange(3), TOLD | told)


@pytest.mark.parametrize(
    ("derived", "wanted"),
    [
        ({"take": "count"}, [2, 0, 1]),
        ({"take": "first", "column": "ward", "by": "day"}, ["a", None, "a"]),
        ({"take": "last", "column": "ward", "by": "day"}, ["b", None, "a"]),
        ({"take": "max", "column": "cost"}, [5, None, 7]),
        ({"take": "min", "column": "day"}, [1, None, 2]),
        ({"take": "n_unique", "column": "ward"}, [2, 0, 1]),
        ({"take": "set", "column": "ward"}, ["a | b", None, "a"]),
    ],
)
def test_columns_are_derived_over_a_link(derived: dict[str, str], wanted: list[object]) -> None:
    people = People.parse(
        {
            "table": "people",
            "key": "id",
            "quasi_identifiers": ["x"],
            "derived": {"x": {"table": "visits", **derived}},
        }
    )
    assert view_of(people).frame["x"].to_list() == wanted


def test_columns_of_other_tables_are_sorted_lists_with_repeats() -> None:
    people = People(table="people", key="id", quasi_identifiers=["sex", "visits.ward+day"])
    view = view_of(people)
    assert view.frame["visits.ward+day"].to_list() == ["a · 1 | b · 3", None, "a · 2"]


def test_unknown_columns_are_named() -> None:
    for name, says in (
        ("age", "no column 'age'"),
        ("codes.x", "'codes' lead to no person"),
        ("visits.x", "No column 'x'"),
    ):
        with pytest.raises(InputError, match=says):
            view_of(People(table="people", key="id", quasi_identifiers=[name]))


def test_no_two_lists_read_alike_that_differ() -> None:
    """A value that holds a separator is not two values, nor a dash a missing one."""
    cells = ["a | b", "a", "b", "–", None]
    visits = Told(pl.DataFrame({"ward": cells}), np.array([0, 1, 1, 2, 3]))
    people = People(table="people", key="id", quasi_identifiers=["visits.ward"])
    own = pl.DataFrame({"id": range(4)})
    seen = person_view(people, own, np.arange(4), {"visits": visits})
    assert seen.frame["visits.ward"].n_unique() == 4


def test_a_household_tells_its_own_value() -> None:
    homes = Told(pl.DataFrame({"rooms": [3, 5]}), np.arange(3), np.array([1, 0, 1]))
    people = People(table="people", key="id", quasi_identifiers=["homes.rooms"])
    assert view_of(people, homes=homes).frame["homes.rooms"].to_list() == [5, 3, 5]


def test_a_column_that_does_not_leave_tells_nothing() -> None:
    people = People(
        table="people", key="id", quasi_identifiers=["sex", "visits.ward"], scenarios={"s": ["sex"]}
    )
    seen = person_view(people, FRAMES["people"].drop("sex"), np.arange(3), TOLD, {"sex"})
    assert seen.columns == ["visits.ward"]
    assert seen.roles.scenarios == {}
