from __future__ import annotations

import polars as pl
import pytest

from microveil.errors import GoalNotReachedError, SpecError
from microveil.methods.match_classes import MatchClasses
from microveil.tables import Table

AGES = pl.DataFrame({"age": [31, 38, 45, None], "n": [1, 2, 3, 4]})


def matched(*labels: str | None, **how: str) -> list[tuple[object, ...]]:
    step = MatchClasses.parse({"columns": ["age"], "classes": [[one] for one in labels], **how})
    rows: list[tuple[object, ...]] = step.protect(AGES).rows()
    return rows


def test_the_first_class_that_covers_a_record_gives_its_labels() -> None:
    assert matched("[30, 35]", "[30, 50]", "*") == [
        ("[30, 35]", 1),
        ("[30, 50]", 2),
        ("[30, 50]", 3),
        ("*", 4),
    ]


def test_a_missing_label_covers_missing_cells_alone() -> None:
    assert matched(None) == [(None, 4)]


def test_records_outside_are_removed_or_counted() -> None:
    assert matched("[30, 39]") == [("[30, 39]", 1), ("[30, 39]", 2)]
    with pytest.raises(GoalNotReachedError, match="2 of 4 records lie outside"):
        matched("[30, 39]", outside="error")


def test_a_label_of_a_hierarchy_covers_what_lies_under_it() -> None:
    tree = {"tree": {"north": ["Oslo", "Turku"], "south": ["Rome"]}}
    step = MatchClasses.parse(
        {"columns": ["town"], "classes": [["north"]], "hierarchies": {"town": tree}}
    )
    assert step.protect({"town": ["Oslo", "Rome", "Turku"]}).rows() == [("north",)] * 2


def test_values_that_stay_keep_their_type() -> None:
    step = MatchClasses(columns=["age"], classes=[["31"], ["45"]], keep=["age"])
    assert step.protect(AGES)["age"].to_list() == [31, 45]


def test_the_finest_class_comes_first() -> None:
    step = MatchClasses(columns=["age"], classes=[["*"], ["[30, 39]"], ["31"]])
    assert step.finest_first(Table(AGES)).classes == (("31",), ("[30, 39]",), ("*",))


def test_a_class_names_a_label_for_each_key() -> None:
    with pytest.raises(SpecError, match="one label for each"):
        MatchClasses.parse({"columns": ["age", "n"], "classes": [["*"]]})
    with pytest.raises(SpecError, match="'sex' is not among the columns"):
        MatchClasses.parse({"columns": ["age"], "classes": [["*"]], "keep": ["sex"]})
