from __future__ import annotations

from typing import ClassVar, Literal

import polars as pl
import pytest

from microveil.errors import InputError
from microveil.measures.base import RiskMeasure, UtilityMeasure
from microveil.scores import Score
from microveil.tables import Table

THREE, FOUR = pl.DataFrame({"x": [1, 2, 3]}), pl.DataFrame({"x": [1, 2, 3, 4]})


class Rows(RiskMeasure):
    """Rows of the original less those of the table."""

    name: Literal["rows"] = "rows"
    needs_original: ClassVar[bool] = True

    def score(self, original: Table | None, table: Table) -> Score:
        return Score(measure="rows", value=(original.height if original else 0) - table.height)


class Alone(Rows):
    """Rows of a table, and nothing of its original."""

    needs_original: ClassVar[bool] = False


class Paired(UtilityMeasure):
    """1 row by row, 0 where rows cannot be paired."""

    name: Literal["paired"] = "paired"

    def score(self, original: Table, released: Table) -> Score:
        return Score(measure="paired", value=float(original.height == released.height))

    def score_unpaired(self, original: Table, released: Table) -> Score:
        refused = super().score_unpaired(original, released)
        return Score(measure="paired", value=-1.0 - refused.value)


class OnlyPaired(Paired):
    """Refuses where rows cannot be paired."""

    needs_alignment: ClassVar[bool] = True


def test_the_original_comes_first_and_only_where_it_is_needed() -> None:
    assert Rows().measure(FOUR, THREE).value == 1
    assert Rows().score_pair(Table(FOUR), Table(THREE)).value == 1
    assert Alone().score_pair(Table(FOUR), Table(THREE)).value == -3
    assert Alone().measure(THREE).value == -3
    with pytest.raises(TypeError, match="takes two tables"):
        Rows().measure(THREE)


def test_rows_are_paired_where_they_can_be() -> None:
    assert Paired().measure(THREE, THREE).value == 1
    assert Paired().measure(THREE, FOUR).value == -1
    assert Paired().measure(THREE, THREE, aligned=False).value == -2
    assert Paired().score_pair(Table(THREE), Table(THREE), aligned=False).value == -2


def test_a_utility_measure_needs_an_original_and_may_need_pairs() -> None:
    with pytest.raises(InputError, match="compares a release with its original"):
        Paired().score_pair(None, Table(THREE))
    with pytest.raises(InputError, match="same order"):
        OnlyPaired().score_pair(Table(THREE), Table(THREE), aligned=False)
