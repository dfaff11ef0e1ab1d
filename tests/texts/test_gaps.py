from __future__ import annotations

import pytest

from microveil.texts import LANGUAGES, Message, translate
from microveil.texts.gaps import QUOTES, Gaps, gaps_of


def test_a_gap_holds_text_numbers_lists_and_names() -> None:
    form = "{text}, {n:,}, {share:%}, {names:quoted}, {name:quoted}, {plain}"
    values = {"text": "a", "n": 12345, "share": 0.5, "names": ["x", "y"], "name": "z", "plain": 7}
    assert Gaps("en").format(form, **values) == "a, 12,345, 50%, 'x', 'y', 'z', 7"
    assert Gaps("es").format(form, **values) == "a, 12\u202f345, 50\u00a0%, «x», «y», «z», 7"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_long_list_is_cut_in_every_language(language: str) -> None:
    told = Message("list.of_names", "{names:quoted}", names=[f"c{i}" for i in range(20)])
    shown = translate(told, language)
    assert "c11" in shown
    assert "c12" not in shown
    assert "8" in shown
    assert ("and 8 more" in shown) is (language == "en")


def test_every_language_has_quotation_marks() -> None:
    assert set(QUOTES) == set(LANGUAGES)


def test_gaps_have_names() -> None:
    assert gaps_of("{n:,} of {m} in {{braces}}") == {"n", "m"}
