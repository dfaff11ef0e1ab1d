"""English: every sentence says something, and only named gaps are left open in it."""

from __future__ import annotations

from string import Formatter

from microveil.web.texts import TEXTS
from microveil.web.texts.en.protecting import PROTECTING


def test_sentences_are_tidy_and_their_gaps_have_names() -> None:
    for key, sentence in PROTECTING.items():
        assert sentence == sentence.strip() != "", key
        gaps = [name for _, name, _, _ in Formatter().parse(sentence) if name is not None]
        assert all(name.isidentifier() for name in gaps), key


def test_all_of_them_reach_the_app() -> None:
    assert {key: TEXTS["en"][key] for key in PROTECTING} == PROTECTING
