"""Spanish: sentences of the library by their English form."""

from __future__ import annotations

import re
from string import Formatter

from microveil.web.texts.es.sentences import SENTENCES, TIDY


def test_sentences_are_translated_and_end_alike() -> None:
    for english, spanish in SENTENCES.items():
        assert spanish == spanish.strip() != "", english
        assert spanish.endswith(".") or not english.endswith("."), english
    long = [one for one in SENTENCES if len(one.split()) > 3]
    assert [one for one in long if SENTENCES[one] == one] == []


def test_a_gap_has_a_name_and_comes_once() -> None:
    for sentence in SENTENCES:
        gaps = [name for _, name, _, _ in Formatter().parse(sentence) if name is not None]
        assert all(name.isidentifier() for name in gaps), sentence
        assert len(set(gaps)) == len(gaps), sentence


def test_what_is_tidied_is_a_pattern_that_changes_something() -> None:
    for clumsy, better in TIDY.items():
        assert re.compile(clumsy)
        assert clumsy != better
