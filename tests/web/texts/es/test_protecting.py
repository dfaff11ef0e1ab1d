"""Spanish: the sentences of the English file of this name, with the same gaps, translated."""

from __future__ import annotations

from string import Formatter

from microveil.web.texts.en.protecting import PROTECTING as ENGLISH
from microveil.web.texts.es.protecting import PROTECTING


def gaps(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


def test_every_sentence_is_there_in_the_same_order_with_its_gaps() -> None:
    assert list(PROTECTING) == list(ENGLISH)
    for key, sentence in PROTECTING.items():
        assert sentence == sentence.strip() != "", key
        assert gaps(sentence) == gaps(ENGLISH[key]), key


def test_sentences_are_translated() -> None:
    long = [key for key, sentence in ENGLISH.items() if len(sentence.split()) > 3]
    assert [key for key in long if PROTECTING[key] == ENGLISH[key]] == []
