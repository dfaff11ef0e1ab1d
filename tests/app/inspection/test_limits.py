"""Thresholds agree with each other; shares are shares and numbers of values are counts."""

from __future__ import annotations

from microveil.app.inspection import inspect, limits


def test_shares_lie_between_none_and_all() -> None:
    shares = ("VALUES_ALONE", "VALUES_NAMED", "NEARLY_UNIQUE", "MOSTLY_DISTINCT",
              "MOST_ROWS_PER_ENTITY", "RISKY_UNIQUENESS", "DEPENDENCY_CHANCE")  # fmt: skip
    assert all(0 < getattr(limits, name) < 1 for name in shares)


def test_a_name_that_agrees_asks_for_fewer_fitting_values() -> None:
    assert limits.VALUES_NAMED < limits.VALUES_ALONE
    assert limits.MOSTLY_DISTINCT < limits.NEARLY_UNIQUE
    assert limits.FEW_CATEGORIES < limits.CATEGORIES < limits.DEPENDENCY_VALUES
    assert limits.FEWEST_VALUES < limits.FEWEST_RECORDS < limits.SAMPLE


def test_uniqueness_says_something_from_the_fewest_records_on() -> None:
    words = [f"{chr(97 + i % 26)}{'xyz'[i % 3] * (i + 1)}" for i in range(limits.FEWEST_RECORDS)]
    assert inspect({"word": words})["word"].role == "identifier"
    assert inspect({"word": words[:-1]})["word"].role != "identifier"
