from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import numpy as np
import polars as pl
import pytest

from microveil.app.inspection import inspect
from microveil.app.inspection.column import Column
from microveil.app.inspection.dirt import missing_codes
from microveil.files import Labels

RNG = np.random.default_rng(4)
HEIGHTS = RNG.normal(170, 9, 400).round(1)
AGES = RNG.integers(0, 95, 400)


def topics(name: str, values: Any, labels: Labels | None = None) -> set[str]:
    frame = pl.DataFrame({name: values})
    return {caution.topic for caution in inspect(frame, labels=labels).warnings}


@pytest.mark.parametrize(
    ("values", "codes"),
    [
        ([*HEIGHTS, *[9999.0] * 5], (9999.0,)),
        ([*HEIGHTS, *[999.0] * 5, *[998.0] * 3], (998.0, 999.0)),
        ([*AGES, *[-9] * 4], (-9.0,)),
        ([*AGES, *[-9] * 4, *[-8] * 4], (-9.0, -8.0)),
        ([*AGES, 99, 99, 98], ()),
        ([*RNG.normal(0, 50, 300), -9.0, -9.0], ()),
        ([*HEIGHTS, 9999.0], ()),
        (list(range(9900, 10100)), ()),
        (HEIGHTS, ()),
    ],
)
def test_codes_for_missing_are_told_from_values(values: Any, codes: tuple[float, ...]) -> None:
    assert missing_codes(Column(pl.Series("x", values), None)) == codes


def test_labels_tell_codes_that_lie_among_the_values() -> None:
    labels: dict[int | float | str, str] = {
        1: "yes",
        2: "no",
        8: "Don't know",
        9: "No sabe / no contesta",
    }
    column = Column(pl.Series("q", [1, 2, 1, 8, 9] * 10), None, "", labels)
    assert missing_codes(column) == (8.0, 9.0)


def test_a_code_with_a_label_of_its_own_is_an_answer() -> None:
    water: dict[int | float | str, str] = {11: "piped", 12: "well", 96: "other", 99: "missing"}
    column = Column(pl.Series("v113", [11, 12, 11, 12, 96, 99] * 20), None, "", water)
    assert missing_codes(column) == (99.0,)
    only: dict[int | float | str, str] = {9999: "outside the range"}
    assert missing_codes(Column(pl.Series("h", [*HEIGHTS, *[9999.0] * 5]), None, "", only)) == (
        9999.0,
    )


def test_relative_weights_without_their_point_are_questioned() -> None:
    relative = RNG.gamma(4, 0.25, 4000)
    stored = (relative / relative.mean() * 1e6).round().astype(np.int64)
    assert "impossible_population" in topics("weight", stored)
    assert "impossible_population" not in topics("weight", stored // 1000)


def test_what_cannot_be_is_questioned() -> None:
    soon = datetime.now(UTC).date() + timedelta(days=400)
    assert "missing_code" in topics("height", [*HEIGHTS, *[9999.0] * 5])
    assert "missing_code" in topics("town", ["Tartu", "N/A", "Narva"] * 20)
    assert "impossible_age" in topics("age", [*AGES, 204])
    assert "future_date" in topics("seen", [date(2020, 1, 1), soon] * 20)
    assert "mixed_units" in topics("height", [*HEIGHTS, *(HEIGHTS[:60] / 100)])
    assert "impossible_population" in topics("weight", RNG.gamma(4, 25, 400) * 1e6 * 1e3)


def test_clean_columns_are_left_in_peace() -> None:
    found = topics("height", HEIGHTS) | topics("age", AGES) | topics("town", ["a", "b"] * 30)
    found |= topics("pay", RNG.lognormal(8, 1, 500)) | topics("weight", RNG.gamma(4, 25, 400))
    dirty = {"missing_code", "impossible_age", "future_date", "mixed_units"}
    assert not found & {*dirty, "impossible_population"}


def test_small_whole_numbers_do_not_mix_units() -> None:
    years = [1] * 40 + [8 + i % 12 for i in range(300)] + list(range(2, 8)) * 3
    assert "mixed_units" not in {one.topic for one in inspect({"schooling": years}).warnings}


@pytest.mark.parametrize(
    "word",
    [
        "Ne sait pas", "Sans réponse", "Refus", "weiß nicht", "keine Angabe", "verweigert",
        "trifft nicht zu", "No sabe", "Non risponde", "Não sabe", "Weet niet", "Uppgift saknas",
    ],
)  # fmt: skip
def test_no_answer_has_a_word_in_every_language(word: str) -> None:
    labels: dict[int | float | str, str] = {1: "a", 2: "b", 8: word}
    assert missing_codes(Column(pl.Series("q", [1, 2, 8] * 9), None, "", labels)) == (8.0,)


def test_body_measures_in_two_units_are_told_though_they_overlap() -> None:
    kilograms, pounds = RNG.normal(75, 12, 900), RNG.normal(165, 25, 60)
    mixed = [*kilograms, *pounds]
    assert "mixed_units" in topics("weight_kg", mixed)
    assert "mixed_units" not in topics("weight_kg", kilograms)
    children = RNG.uniform(35, 125, 90)
    assert "mixed_units" not in topics("height", [*RNG.normal(166, 9, 900), *children])
    assert "mixed_units" not in topics("cost", np.exp(RNG.normal(5, 1.2, 900)))


@pytest.mark.parametrize(
    ("mean", "label", "questioned"),
    [(1.4e6, "", True), (1.1e5, "Sample weight (6 decimals)", True), (1.1e5, "", False)],
)
def test_weights_without_their_point_are_questioned(
    mean: float, label: str, *, questioned: bool
) -> None:
    weights = (mean * RNG.uniform(0.3, 1.7, 1_500)).round().astype(np.int64)
    found = topics("hhweight", weights, Labels(columns={"hhweight": label}))
    assert ("impossible_population" in found) == questioned
