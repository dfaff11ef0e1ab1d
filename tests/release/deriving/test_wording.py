"""Sentences about what comes back name causes once, and say what helps."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest

from microveil.release.deriving.derivation import Cause, Derivation
from microveil.release.deriving.wording import count_cells, say_caution, say_failing, say_remedy
from microveil.texts import translate

BACK = pl.Series([True, True, False])


def one(cause: Cause, by: str, key: str = "town") -> Derivation:
    return Derivation(cause, by, key, 2, 3, 1.0, True, BACK, pl.Series(["u", "u", "u"]))


def test_cells_that_come_back_in_two_ways_are_counted_once() -> None:
    assert count_cells([one("household", "home"), one("count", "home")]) == 2
    assert count_cells([one("household", "home"), one("column", "code", "area")]) == 4


@pytest.mark.parametrize(
    ("cause", "helps"),
    [
        ("household", "local_suppression"),
        ("person", "local_suppression"),
        ("count", "Drop 'x'"),
        ("column", "make it a key"),
    ],
)
def test_every_cause_has_its_remedy(cause: Cause, helps: str) -> None:
    assert helps in say_remedy([one(cause, "x")])
    assert "'town'" in say_failing([one(cause, "x")])
    told = say_caution([one(cause, "x")], 1, 7)
    assert "k is 1; 7 records are unique" in told
    assert "registros" in translate(told, "es")


def test_nobody_is_told_to_make_a_key_of_a_key() -> None:
    told = say_remedy([replace(one("column", "area"), by_key=True)])
    assert told == "Drop 'area' or 'town': one tells the other."
    assert "o 'town'" in translate(told, "es") or "o «town»" in translate(told, "es")


def test_alike_causes_make_one_clause() -> None:
    some = [one("column", by, key) for by in "abc" for key in "xyz"]
    assert say_failing(some).count(" from 'a', 'b', 'c'") == 1
