"""Numbered questions are answers, not keys."""

from __future__ import annotations

import numpy as np
import polars as pl

import microveil as mv


def _survey(n_questions: int, n_values: int = 5) -> pl.DataFrame:
    rng = np.random.default_rng(3)
    answers = {f"q{i}": rng.integers(0, n_values, 300) for i in range(n_questions)}
    return pl.DataFrame({"age": rng.integers(18, 90, 300), **answers})


def test_many_numbered_questions_are_confidential_answers() -> None:
    looked = mv.inspect(_survey(12))
    assert looked.roles.quasi_identifiers == ("age",)
    assert looked["q3"].role == "sensitive"
    assert "one of 12 numbered columns" in looked["q3"].reasons[0]


def test_a_few_numbered_columns_may_be_known_to_others() -> None:
    assert mv.inspect(_survey(3))["q1"].role == "quasi_identifier"


def test_columns_of_many_values_are_no_battery() -> None:
    assert mv.inspect(_survey(12, 40))["q1"].role == "quasi_identifier"


def test_what_a_name_or_a_value_tells_goes_before() -> None:
    born = {f"birth_year{i}": np.random.default_rng(i).integers(1950, 1960, 300) for i in range(9)}
    assert mv.inspect(pl.DataFrame(born))["birth_year1"].role == "quasi_identifier"
