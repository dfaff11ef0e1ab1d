from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.app.inspection.naming import Words, words_of


@pytest.mark.parametrize(
    "name", ["date_of_birth", "DateOfBirth", "date-of-birth", "DATE OF BIRTH", "dateofbirth"]
)
def test_a_phrase_is_found_however_it_is_written(name: str) -> None:
    assert Words("date_of_birth").match(name)


@pytest.mark.parametrize(
    ("pattern", "name", "found"),
    [
        ("sex", "SEX", True),
        ("sex", "sextant", False),
        ("diagnos*", "Diagnosis_2", True),
        ("*wgt", "AFNLWGT", True),
        ("*wgt", "wgt_date", True),
        ("*wgt", "wgtx", False),
        ("=name", "name", True),
        ("=name", "product_name", False),
        ("first|last_name", "LastName", True),
        ("first|last_name", "middle_name", False),
        ("género", "GENERO", True),
        ("пол", "Пол", True),
        ("sünniaeg", "sunniaeg", True),
        ("straße", "Strasse", True),
        ("educ*", "EDUC1", True),
    ],
)
def test_patterns_mean_what_they_say(pattern: str, name: str, found: bool) -> None:  # noqa: FBT001  expected value
    assert Words(pattern).match(name) is found


def test_a_word_that_speaks_against_it_wins() -> None:
    words = Words("birth*", unless="place")
    assert words.match("birth_date")
    assert not words.match("birth_place")


def test_no_words_match_nothing() -> None:
    assert not Words().match("anything")


@given(st.text())
def test_any_name_can_be_read(name: str) -> None:
    words = words_of(name)
    assert words.startswith("_")
    assert words.endswith("_")
    assert words == words.lower() or not words.isascii()


def test_umlauts_in_two_letters_are_the_same_word() -> None:
    assert Words("haushaltsgrosse").match("haushaltsgroesse")
    assert Words("vermogen*").match("VERMOEGEN")
    assert not Words("sex", unless="orientation").match("sex_orientation")
