"""Numbers stand on the pages as the language writes them."""

from __future__ import annotations

import pytest

from microveil.web.texts import text
from microveil.web.texts.numbers import number, translated, translated_range


@pytest.mark.parametrize(
    ("value", "form", "spanish"),
    [
        (1234, ",", "1234"),
        (12345, ",", "12_345"),
        (-1234567.891, ",.2f", "-1_234_567,89"),
        (0.125, ".1%", "12,5~%"),
        (0.1235, ",.4g", "0,1235"),
        (3, "g", "3"),
    ],
)
def test_spanish_has_a_comma_a_thin_space_and_a_space_before_percent(
    value: float, form: str, spanish: str
) -> None:
    assert number("es", value, form) == spanish.replace("_", "\u202f").replace("~", "\u00a0")
    assert number("en", value, form) == format(value, form)


def test_only_numbers_are_translated() -> None:
    assert translated("es", "1,5 m") == "1,5 m"
    assert translated("es", "1e-05") == "1e-05"
    assert translated("es", "1.235e+06") == "1,235e+06"
    assert translated("es", "v1.5") == "v1.5"
    assert translated_range("es", "0.5–12,000") == "0,5–12\u202f000"


def test_gaps_with_a_form_hold_numbers() -> None:
    assert text("es", "state.records", n=48842) == "48\u202f842 registros"
    assert text("en", "state.records", n=48842) == "48,842 records"


def test_none_and_all_need_no_decimals() -> None:
    assert [number("en", one, ".1%") for one in (0.0, 1, 0.9999, 0.0001)] == [
        "0%", "100%", "100.0%", "0.0%"
    ]  # fmt: skip
