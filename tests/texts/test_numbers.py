"""Numbers as each language writes them."""

from __future__ import annotations

import math
import re

import pytest
from babel import Locale
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.texts import LANGUAGES
from microveil.texts.numbers import SIGNS, number, percent, translate_number, translated_range

SHARES = st.floats(0, 1) | st.integers(0, 40).map(lambda n: 2.0**-n) | st.floats(0, 1e-9)
INNER = SHARES.filter(lambda one: 0 < one < 1)
FINEST = st.integers(0, 6)


def _read(written: str) -> float:
    """The number that a percentage shows; a bound lies just beyond it."""
    shown = float(re.sub(r"[<>%\s\u00a0]", "", written).replace(",", "."))
    return shown + {"<": -1e-12, ">": 1e-12}.get(written[0], 0)


@settings(max_examples=200)
@given(share=INNER, finest=FINEST, language=st.sampled_from(sorted(LANGUAGES)))
def test_some_is_never_none_and_never_all(share: float, finest: int, language: str) -> None:
    for one in (share, 1 - share, math.nextafter(0, 1), math.nextafter(1, 0)):
        if 0 < one < 1:
            written = percent(one, language, finest=finest)
            assert 0 < _read(written) < 100, written
            assert written[0] in "<>" or written[0].isdigit()


@settings(max_examples=200)
@given(shares=st.lists(SHARES | SHARES.map(lambda one: 1 - one), min_size=2), finest=FINEST)
def test_more_is_never_written_as_less(shares: list[float], finest: int) -> None:
    shown = [_read(percent(one, finest=finest)) for one in sorted(shares)]
    assert shown == sorted(shown)


@given(share=SHARES)
def test_a_percentage_is_near_what_it_says(share: float) -> None:
    assert _read(percent(share)) == pytest.approx(100 * share, abs=0.0501)


def test_one_record_of_many_is_told_apart_from_none() -> None:
    assert percent(1 / 30_000) == "0.0033%"
    assert percent(29_999 / 30_000) == "99.9967%"
    assert [percent(one) for one in (0, 1, 0.0, 1.0)] == ["0%", "100%", "0%", "100%"]
    assert percent(1 / 30_000, "es") == "0,0033\u00a0%"
    assert percent(0.001, "ru") == "0,1\u00a0%"
    assert percent(0.001, "et") == "0,1%"


def test_what_is_no_share_is_written_all_the_same() -> None:
    assert percent(float("nan")) == percent(None) == "–"
    assert percent(1.5) == "150%"
    assert percent(-0.25) == "-25%"
    assert percent(float("inf")) == "inf%"


@pytest.mark.parametrize("language", sorted(SIGNS))
def test_signs_are_those_of_the_common_locale_data(language: str) -> None:
    data = Locale.parse(language)
    signs, symbols = SIGNS[language], data.number_symbols["latn"]
    assert signs.point == symbols["decimal"]
    assert signs.percent == data.percent_formats[None].pattern.removeprefix("#,##0")
    if language != "es":  # which follows the Academy
        assert signs.thousands == symbols["group"]


@pytest.mark.parametrize(
    ("value", "form", "spanish"),
    [
        (1234, ",", "1234"),
        (12345, ",", "12_345"),
        (-1234567.891, ",.2f", "-1_234_567,89"),
        (0.125, "%", "12,5~%"),
        (0.1235, ",.4g", "0,1235"),
        (3, "g", "3"),
    ],
)
def test_spanish_has_a_comma_a_thin_space_and_a_space_before_percent(
    value: float, form: str, spanish: str
) -> None:
    assert number("es", value, form) == spanish.replace("_", "\u202f").replace("~", "\u00a0")


def test_only_numbers_are_translated() -> None:
    assert translate_number("es", "1,5 m") == "1,5 m"
    assert translate_number("es", "1e-05") == "1e-05"
    assert translate_number("es", "1.235e+06") == "1,235e+06"
    assert translate_number("es", "v1.5") == "v1.5"
    assert translated_range("es", "0.5–12,000") == "0,5–12\u202f000"
