from __future__ import annotations

import datetime as dt
from typing import Any

import polars as pl
import pytest

import microveil as mv
from microveil.pairs.label_numbers import labels_apart, labels_as_numbers
from microveil.pairs.reading import Reading

AGES = pl.DataFrame(
    {"age": [40, 41, 43, 48, 52, 58], "day": [dt.date(2020, 1, i) for i in range(1, 7)]}
)
TREE = {"tree": {"young": ["40", "41", "43", "48"], "old": ["52", "58"]}}


def read(hierarchy: dict[str, Any], column: str = "age") -> Reading:
    step = mv.Generalize(column=column, hierarchy=hierarchy, level=1)
    recipe = mv.Recipe(roles=mv.Roles(quasi_identifiers=[column]), steps=[step])
    release = mv.run(recipe, AGES, seed=1)
    return Reading.of(release.original, release.table, recipe=recipe)


@pytest.mark.parametrize("hierarchy", [TREE, {"hierarchy": "types"}])
def test_a_label_that_is_no_interval_is_the_mean_of_what_it_stands_for(
    hierarchy: dict[str, Any],
) -> None:
    numbers = labels_as_numbers(read(hierarchy)).frame["age"].to_list()
    assert numbers == [43, 43, 43, 43, 55, 55]


def test_an_interval_is_its_midpoint() -> None:
    reading = read({"hierarchy": "intervals", "width": 10})
    assert reading.numbered.frame["age"].to_list() == [44.5] * 4 + [54.5] * 2


def test_a_part_of_a_date_is_the_mean_day() -> None:
    reading = read({"hierarchy": "dates", "levels": ["month"]}, "day")
    days = labels_as_numbers(reading).frame["day"].to_list()
    assert days == [18264.5] * 6


def test_rounded_numbers_are_numbers() -> None:
    recipe = mv.Recipe(
        roles=mv.Roles(quasi_identifiers=["age"]), steps=[mv.Round(columns=["age"], base=10)]
    )
    release = mv.run(recipe, AGES, seed=1)
    reading = Reading.of(release.original, release.table, recipe=recipe)
    assert labels_as_numbers(reading) is reading.released


def test_40_for_40_to_49_is_no_unchanged_40() -> None:
    reading = read({"hierarchy": "types"})
    assert reading.released.frame["age"].to_list()[0] == "40"
    assert labels_apart(reading).frame["age"].to_list()[0] == "40…"
    assert labels_apart(read(TREE)).frame["age"].to_list()[0] == "young"
