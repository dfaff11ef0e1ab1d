from __future__ import annotations

import datetime as dt

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.hierarchies import Interval
from microveil.labels.notation import (
    Bounds,
    Span,
    is_star,
    midpoints,
    read_bounds,
    read_mask,
    read_set,
    read_span,
)


@pytest.mark.parametrize(
    ("label", "bounds"),
    [
        ("[30, 49]", Bounds("30", "49")),
        ("[30, 40)", Bounds("30", "40", with_high=False)),
        ("(30, 40]", Bounds("30", "40", with_low=False)),
        ("0-4", Bounds("0", "4")),
        ("-5--1", Bounds("-5", "-1")),
        ("1.5–2", Bounds("1.5", "2")),
        (">=90", Bounds("90", None)),
        ("≥90", Bounds("90", None)),
        (">90", Bounds("90", None, with_low=False)),
        ("<20", Bounds(None, "20", with_high=False)),
        ("≤20", Bounds(None, "20")),
        ("90+", Bounds("90", None)),
        ("[2021-01-01, 2021-03-05]", Bounds("2021-01-01", "2021-03-05")),
    ],
)
def test_intervals_are_read_however_they_are_written(label: str, bounds: Bounds) -> None:
    assert read_bounds(label) == bounds


@pytest.mark.parametrize("label", ["north-west", "2021-03", "9-5", "*", "97***", "a", ""])
def test_other_text_is_no_interval(label: str) -> None:
    assert read_bounds(label) is None


def test_sets_and_masks_are_read() -> None:
    assert read_set(r"{a, b\}, c\\}") == ["a", "b}", "c\\"]
    assert read_set("a, b") is None
    mask = read_mask("97***")
    assert mask is not None
    assert mask[0].match("97222")
    assert not mask[0].match("9722")
    ip = read_mask("192.168.*.*")
    assert ip is not None
    assert not ip[0].match("192.168.20.17")
    assert ip[1].match("192.168.20.17")
    assert not ip[1].match("192x168.20.17")


def test_only_stars_say_nothing() -> None:
    assert is_star(pl.Series(["*", "***", "9*", "", None])).to_list() == [
        True,
        True,
        False,
        False,
        None,
    ]


@given(st.integers(-1000, 1000), st.integers(1, 100), st.sampled_from(["left", "right"]))
def test_labels_of_interval_hierarchies_have_their_middle(
    low: int, width: int, closed: str
) -> None:
    label = Interval(low, low + width, closed).label()  # type: ignore[arg-type]  # a literal
    read = midpoints(pl.Series([label]), pl.Series([0.0]))
    assert read is not None
    assert read.to_list() == [low + width / 2]
    # Of whole numbers, those that are inside: one end is not.
    whole = midpoints(pl.Series([label]), pl.Series([0]))
    assert whole is not None
    assert whole.to_list() == [low + (width - 1) / 2 + (closed == "right")]


def test_open_intervals_end_where_the_original_does() -> None:
    ages = pl.Series([10, 95])
    read = midpoints(pl.Series(["≥85", "<20", "≥99", None, "*", "41"]), ages)
    assert read is not None
    assert read.to_list() == [90.0, 14.5, 99.0, None, None, 41.0]


def test_dates_are_read_in_their_unit() -> None:
    days = pl.Series([dt.date(1970, 1, 1), dt.date(1970, 1, 31)])
    read = midpoints(pl.Series(["[1970-01-02, 1970-01-04]", "1970-01-11"]), days)
    assert read is not None
    assert read.to_list() == [2.0, 10.0]


def test_a_column_with_a_label_that_is_no_number_is_not_numeric() -> None:
    assert midpoints(pl.Series(["[30, 40)", "young"]), pl.Series([30])) is None
    assert midpoints(pl.Series(["[a, b]"]), pl.Series([30])) is None


@pytest.mark.parametrize(
    ("label", "span"),
    [
        ("30", Span(30, 30)),
        ("[30, 40)", Span(30, 40, with_high=False)),
        ("(30, 40]", Span(30, 40, with_low=False)),
        ("[30, 49]", Span(30, 49)),
        ("30-39", Span(30, 39)),
        ("-5 - -1", Span(-5, -1)),
        ("<20", Span(-np.inf, 20, with_high=False)),
        ("≥80", Span(80, np.inf)),
        ("85+", Span(85, np.inf)),
        ("80***", Span(80_000, 81_000, with_high=False)),
        ("*", Span(-np.inf, np.inf)),
        ("1e3", Span(1000, 1000)),
        ("young", None),
        ("", None),
        ("***", Span(-np.inf, np.inf)),
        ("20—24", Span(20, 24)),
        ("[20..25)", Span(20, 25, with_high=False)),
        ("]20; 25]", Span(20, 25, with_low=False)),
        ("(-∞, 20)", Span(-np.inf, 20, with_low=False, with_high=False)),
        (">= 65", Span(65, np.inf)),
        ("1_000", None),
    ],
)
def test_labels_over_numbers_are_read(label: str, span: Span | None) -> None:
    assert read_span(label) == span


@pytest.mark.parametrize(
    ("label", "whole"),
    [
        ("[20, 25)", (20, 24)),
        ("(19, 24]", (20, 24)),
        ("20-24", (20, 24)),
        (">19", (20, np.inf)),
        ("<20.5", (-np.inf, 20)),
        ("2*", (20, 29)),
        ("-2*", (-29, -20)),
    ],
)
def test_spans_of_whole_numbers_have_one_spelling(label: str, whole: tuple[float, float]) -> None:
    span = read_span(label)
    assert span is not None
    assert span.whole() == Span(*whole)


def test_members_with_commas_survive() -> None:
    assert read_set(r"{a, b\, c, \{d\}}") == ["a", "b, c", "{d}"]
    assert read_set("a, b") is None
