from __future__ import annotations

import pytest

from microveil.methods.redact.own import Own, rare_names
from microveil.methods.redact.spans import without, words_of


def redacted(text: str, *identifiers: str) -> str:
    own = Own()
    for one in identifiers:
        own.add(one)
    return without(text, own.spans(text, words_of(text)))[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("José García came", "[name] came"),
        ("GARCIA, JOSE came", "[name] came"),
        ("J. García's wife", "[name]'s wife"),
        ("garcia j came", "[name] j came"),
        ("the de la clinic", "the de la clinic"),
    ],
)
def test_names_in_any_order_case_and_spelling(text: str, expected: str) -> None:
    assert redacted(text, "José de la García") == expected


@pytest.mark.parametrize("name", ["Kai Müller", "Kai Mueller"])
@pytest.mark.parametrize(
    "text",
    ["Müller", "MUELLER", "Mu\u0308ller", "Müllers", "kaimüller", "muellerkai", "KaiMueller7"],
)
def test_umlauts_genitives_and_accounts(name: str, text: str) -> None:
    assert redacted(f"saw {text} here", name) == "saw [name] here"


@pytest.mark.parametrize("text", ["Lees", "Leeds", "annul", "annleer", "Lee1"])
def test_short_names_are_not_found_inside_words(text: str) -> None:
    assert redacted(text, "Ann Lee") == text


def test_streets_shortened_at_the_end_of_a_word() -> None:
    assert redacted("wohnt Hauptstr. 7 jetzt", "Hauptstraße 7, Berlin") == "wohnt [address] jetzt"


@pytest.mark.parametrize("text", ["AB-12 34.56", "ab123456", "AB 123456"])
def test_numbers_with_any_punctuation(text: str) -> None:
    assert redacted(f"file {text} closed", "AB123456") == "file [id] closed"


def test_short_numbers_are_no_identifiers_in_a_text() -> None:
    assert redacted("12 tablets", "12") == "12 tablets"


def test_addresses_by_two_words_in_a_row() -> None:
    home = "12 Baker Street, Leeds"
    assert redacted("lives at 12 Baker St.", home) == "lives at [address]."
    assert redacted("a street in town", home) == "a street in town"


def test_common_names_are_not_rare() -> None:
    people = [(i, "Anna") for i in range(5)] + [(9, "Zoltan 5")]
    assert rare_names(people, 3) == frozenset()
