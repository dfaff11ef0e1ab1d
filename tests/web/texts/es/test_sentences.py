"""Spanish sentences: whole, and with the punctuation of the English ones."""

from __future__ import annotations

from microveil.web.texts.es.sentences import SENTENCES, TIDY


def test_a_sentence_ends_as_its_english_twin_does() -> None:
    assert [one for one, other in SENTENCES.items() if (one[-1] == ".") != (other[-1] == ".")] == []


def test_no_clumsy_article_is_left_by_what_tidies_them() -> None:
    for better in TIDY.values():
        assert better not in TIDY
