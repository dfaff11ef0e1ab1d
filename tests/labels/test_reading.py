from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import numpy as np
import polars as pl
import pytest

from microveil.hierarchies import Dates, Types
from microveil.labels.reading import Counted, date_parts, read_labels

DAYS = [date(2019, 11, 3) + timedelta(days=5 * i) for i in range(300)]


def covered(
    values: list[Any], labels: list[str], ways: list[pl.Series] | None = None, **counts: list[int]
) -> list[list[Any]]:
    before = pl.Series("x", values)
    found = read_labels(
        Counted(before, np.array(counts.get("before", [1] * len(values)))),
        Counted(
            pl.Series(labels, dtype=pl.String), np.array(counts.get("after", [1] * len(labels)))
        ),
        ways or [],
    )
    return [before.gather(found.members(label)).to_list() for label in range(len(labels))]


def test_labels_that_describe_themselves_are_read() -> None:
    assert covered([3, 20, 29, 30], ["[20, 30)", "≤20", "{3, 30}", "*", "29", "29.0"]) == [
        [20, 29],
        [3, 20],
        [3, 30],
        [3, 20, 29, 30],
        [29],
        [29],
    ]
    assert covered(["0800", "0812", "C34.1"], ["080*", "C34", "{0800, C34}"]) == [
        ["0800"],
        ["C34.1"],
        ["0800"],
    ]


@pytest.mark.parametrize(
    "level", ["weekday", "week", "month", "quarter", "year_season", "season", "year", "decade"]
)
@pytest.mark.parametrize("kind", [pl.Date(), pl.String(), pl.Datetime("us")])
def test_every_level_of_dates_is_read_without_a_recipe(level: Any, kind: pl.DataType) -> None:
    days = pl.Series("x", DAYS)
    labels = Dates(levels=(level,)).build(days).frame.to_series(1)
    wanted = [days.filter(labels == one).to_list() for one in labels.unique(maintain_order=True)]
    found = covered(days.cast(kind).to_list(), labels.unique(maintain_order=True).to_list())
    back = [pl.Series(one).cast(pl.String).str.head(10).str.to_date().to_list() for one in found]
    assert back == wanted


def test_intervals_of_date_labels_are_stretches_of_time() -> None:
    days = [date(2021, 1, 5), date(2021, 2, 28), date(2021, 3, 31), date(2021, 4, 1)]
    assert covered(days, ["[2021-01, 2021-03]", "[2021-Q2, 2021-Q4]"]) == [days[:3], days[3:]]


def test_the_level_is_meant_whose_labels_are_as_frequent() -> None:
    ages = [40, 41, 50, 57]
    ways = [one.cast(pl.String) for one in Types().build(pl.Series(ages)).frame.get_columns()[:2]]
    assert covered(ages, ["40", "50"], ways, before=[5, 1, 5, 1], after=[6, 6]) == [
        [40, 41],
        [50, 57],
    ]
    # Some records are not released: the shares still tell.
    assert covered(ages, ["40", "50"], ways, before=[5, 1, 5, 1], after=[3, 3])[0] == [40, 41]
    assert covered(ages, ["40", "41", "50", "57"], ways) == [[40], [41], [50], [57]]


def test_labels_of_several_levels_are_each_read_at_their_own() -> None:
    ways = [pl.Series(["a", "b", "c"]), pl.Series(["G", "G", "H"]), pl.Series(["*", "*", "*"])]
    assert covered(["a", "b", "c"], ["G", "a", "c"], ways) == [["a", "b"], ["a"], ["c"]]


def test_members_of_a_set_may_be_labels_of_an_earlier_step() -> None:
    ways = [pl.Series(["FR", "FR", "IT", "ES"])]
    assert covered(["Lyon", "Paris", "Rome", "Vigo"], ["{FR, IT}", "ES"], ways) == [
        ["Lyon", "Paris", "Rome"],
        ["Vigo"],
    ]


def test_one_label_that_is_left_stands_for_the_values_that_are_left() -> None:
    assert covered(["a", "b", "c"], ["a", "other"], before=[5, 2, 1], after=[5, 3]) == [
        ["a"],
        ["b", "c"],
    ]
    # Too many records for the values that are left; a new name; two labels.
    assert covered(["a", "b", "c"], ["a", "other"], before=[5, 2, 1], after=[4, 4])[1] == []
    assert covered(["a", "b"], ["a", "other"], before=[5, 1], after=[5, 1])[1] == []
    assert covered(["a", "b", "c"], ["red", "blue"], before=[5, 2, 1], after=[5, 3]) == [[], []]


def test_numbers_that_nobody_had_stand_for_no_value() -> None:
    assert covered([1.0, 2.0], ["1.5", "1"]) == [[], [1.0]]


def test_parts_of_dates_are_those_of_the_builders() -> None:
    found = date_parts(pl.Series([date(2021, 3, 5)]))
    assert {"2021-W09", "2021-03", "2021-Q1", "Spring", "Friday", "03/2021"} <= {
        one[0] for one in found
    }
