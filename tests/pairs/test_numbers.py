from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.errors import ColumnError, InputError
from microveil.pairs import known_columns, numbers
from microveil.pairs.reading import Reading
from microveil.plots import bins
from microveil.tables import Roles, Table
from microveil.utility.eigenvalues import Eigenvalues
from microveil.utility.il1 import IL1
from microveil.utility.il1s import IL1s
from microveil.utility.information_loss import InformationLoss
from microveil.utility.rank_correlation import RankCorrelation
from microveil.utility.sse import Sse

DAY = dt.date(2020, 1, 1)


KINDS: dict[str, list[Any]] = {
    "whole": [1, 2, None, 5],
    "real": [1.5, float("nan"), None, 5.0],
    "decimal": [Decimal("1.50"), Decimal("2.25"), None, Decimal("5.00")],
    "day": [DAY, DAY + dt.timedelta(3), None, DAY + dt.timedelta(9)],
    "length": [dt.timedelta(1), dt.timedelta(2), None, dt.timedelta(5)],
}


@pytest.mark.parametrize("kind", list(KINDS))
def test_utility_risk_and_figures_read_the_same_numbers(kind: str) -> None:
    table = Table({"x": KINDS[kind]})
    utility = numbers.paired_numbers(table, table, ())
    risk = known_columns.paired_numbers(table, table, ())
    assert utility.columns == risk.columns == ("x",)
    assert np.array_equal(utility.before, risk.before, equal_nan=True)
    assert np.array_equal(utility.after, risk.after, equal_nan=True)
    shown = utility.after[:, 0]
    assert bins.numbers_of(table.frame["x"]).tolist() == shown[~np.isnan(shown)].tolist()
    assert (utility.present == risk.present).all()


def test_decimals_are_their_numbers() -> None:
    table = Table({"x": KINDS["decimal"]})
    assert numbers.paired_numbers(table, table, ()).before[0, 0] == 1.5


@pytest.mark.parametrize("value", [float("inf"), 1e200])
def test_numbers_that_cannot_be_squared_lie_a_range_beyond_all_others(value: float) -> None:
    table = Table({"x": [1.0, 3.0, value], "y": [1.0, 2.0, 3.0]})
    for columns in ((), ("x",)):
        found = numbers.paired_numbers(table, table, columns)
        assert found.columns[0] == "x"
        assert found.before[:, 0].tolist() == found.after[:, 0].tolist() == [1.0, 3.0, 5.0]
    hidden = table.with_columns([pl.Series("x", [1.0, 3.0, 3.0])])
    assert mv.IL1s(columns=["x"]).measure(table, hidden).value > 0


def test_an_intruder_knows_no_weights_and_reads_no_middles() -> None:
    before = Table({"x": [1, 2], "w": [1.0, 2.0]}, Roles(weight="w"))
    after = Table({"x": ["[1, 2]", "[1, 2]"], "w": [1.0, 2.0]}, Roles(weight="w"))
    assert numbers.paired_numbers(before, after, ()).columns == ("x", "w")
    assert known_columns.paired_numbers(before, after, ()).columns == ()
    assert numbers.has_numbers(before, after)
    assert not known_columns.has_known_numbers(Reading(before, after))


@pytest.mark.parametrize("room", [numbers, known_columns])
def test_named_columns_without_numbers_are_refused_by_name(room: Any) -> None:
    table = Table({"town": ["a", "b"]})
    with pytest.raises(ColumnError, match="'town' does not hold numbers"):
        room.paired_numbers(table, table, ("town",))


def test_records_that_miss_a_cell_are_left_out_of_the_complete_ones() -> None:
    frame = pl.DataFrame({"x": [1.0, None, 3.0], "y": [1.0, 2.0, 3.0]})
    found = numbers.paired_numbers(Table(frame), Table(frame), ())
    assert found.complete.before.tolist() == [[1.0, 1.0], [3.0, 3.0]]


def test_intervals_count_by_their_middle() -> None:
    before = {"age": [31.0, 38.0, 52.0, 57.0]}
    labels = {"age": ["[30, 40)", "[30, 40)", "52", "≥57"]}
    middles = {"age": [35.0, 35.0, 52.0, 57.0]}
    for measure in (IL1s(), IL1(), Sse(), InformationLoss(), RankCorrelation(), Eigenvalues()):
        expected = measure.measure(before, middles).value
        assert measure.measure(before, labels).value == pytest.approx(expected), measure.kind()
    named = IL1s(columns=("age",)).measure(before, labels)
    assert named.value > 0


def test_starred_numbers_are_missing() -> None:
    score = IL1s().measure({"x": [1.0, 2.0, 3.0]}, {"x": ["1", "*", "3"]})
    assert score.value == 0


def test_dates_released_as_intervals_count_by_their_middle() -> None:
    days = {"d": [dt.date(2021, 1, 1), dt.date(2021, 1, 3)]}
    score = InformationLoss(error="mae").measure(days, {"d": ["[2021-01-01, 2021-01-03]"] * 2})
    assert score.value == 1


def test_labels_that_are_no_numbers_are_refused_by_name_only() -> None:
    before, after = {"x": [1, 2]}, {"x": ["low", "high"]}
    assert IL1s().measure(before, after).value == 0
    with pytest.raises(ColumnError, match="'x'"):
        IL1s(columns="x").measure(before, after)


def test_complete_numbers_are_those_of_records_without_a_missing_cell() -> None:
    before = Table({"x": [1.0, None, 3.0, 4.0], "y": [1, 2, 3, 4]})
    after = Table({"x": [1.0, 2.0, 3.0, 5.0], "y": ["[1, 2]", "2", "*", "4"]})
    found = numbers.complete_numbers(before, after, ())
    other = numbers.paired_numbers(before, after, ()).complete
    assert found.columns == other.columns == ("x", "y")
    assert found.before.tolist() == other.before.tolist() == [[1.0, 1.0], [4.0, 4.0]]
    assert found.after.tolist() == other.after.tolist() == [[1.0, 1.5], [5.0, 4.0]]


@pytest.mark.parametrize("kind", [pl.String, pl.Int64])
def test_numbers_that_are_labels_are_used_as_little_as_any_label(kind: type[pl.DataType]) -> None:
    # A decade is written 20: read back from a file it is a number like any other.
    before = pl.DataFrame({"age": [20, 25, 33, 38, 41, 46], "pay": [1.0, 2, 3, 4, 5, 6]})
    step = mv.Generalize(column="age", hierarchy={"hierarchy": "types"}, level=1)
    recipe = mv.Recipe(roles=mv.Roles(quasi_identifiers=["age"], sensitive=["pay"]), steps=[step])
    shown = mv.run(recipe, before, seed=1).table.frame.with_columns(pl.col("age").cast(kind))
    every = [mv.IntervalDisclosure(), mv.ValueDisclosure(), mv.IdentityDisclosure()]
    for measure in every:
        alone = measure.measure(before.select("pay"), shown.select("pay")).value
        assert measure.measure(before, shown, recipe=recipe).value == pytest.approx(alone)
    keys = recipe.model_copy(update={"roles": mv.Roles(quasi_identifiers=["age"])})
    for measure in every:
        with pytest.raises(InputError, match="no column of numbers in common"):
            mv.compare(before.select("age"), shown.select("age"), recipe=keys, measures=[measure])
