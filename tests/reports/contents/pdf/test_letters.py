"""Other alphabets are written in Latin letters, so that two names do not both become ``???``."""

from __future__ import annotations

import string

import pytest

from microveil.reports.contents.pdf.letters import in_western_letters

RUSSIAN = "абвгдежзийклмнопрстуфхцчшщыэюя"
GREEK = "αβγδεζηθικλμνξοπρστυφχψω"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Возраст", "Vozrast"),
        ("Щука", "Shchuka"),
        ("Ηλικία", "Ilikia"),
        ("sünniaeg, šokk, õun", "sünniaeg, šokk, õun"),
        ("año 5 €", "año 5 €"),
        ("年", "?"),
    ],
)
def test_a_name_can_still_be_read(text: str, told: str) -> None:
    assert in_western_letters(text) == told


@pytest.mark.parametrize("alphabet", [RUSSIAN, RUSSIAN.upper(), GREEK, GREEK.upper()])
def test_every_letter_of_an_alphabet_is_written(alphabet: str) -> None:
    for letter in alphabet:
        found = in_western_letters(letter)
        assert found
        assert set(found) <= set(string.ascii_letters)
