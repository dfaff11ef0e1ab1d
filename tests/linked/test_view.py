from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from microveil.errors import InputError
from microveil.linked.recipe import People
from microveil.linked.view import person_view

FRAMES = {
    "people": pl.DataFrame({"id": [1, 2, 3], "sex": ["f", "m", "f"]}),
    "visits": pl.DataFrame({"ward": ["b", "a", "a"], "day": [3, 1, 2], "cost": [5, None, 7]}),
}
WHOSE = {"people": np.arange(3), "visits": np.array([0, 0, 2])}


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
    assert person_view(people, FRAMES, WHOSE).frame["x"].to_list() == wanted


def test_columns_of_other_tables_are_sorted_lists_with_repeats() -> None:
    people = People(table="people", key="id", quasi_identifiers=["sex", "visits.ward+day"])
    view = person_view(people, FRAMES, WHOSE)
    assert view.frame["visits.ward+day"].to_list() == ["a · 1 | b · 3", None, "a · 2"]


def test_unknown_columns_are_named() -> None:
    for name, says in (
        ("age", "no column 'age'"),
        ("codes.x", "'codes' lead to no person"),
        ("visits.x", "No column 'x'"),
    ):
        with pytest.raises(InputError, match=says):
            person_view(People(table="people", key="id", quasi_identifiers=[name]), FRAMES, WHOSE)
