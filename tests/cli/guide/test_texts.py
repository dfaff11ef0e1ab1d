from __future__ import annotations

from string import Formatter

from microveil.cli.guide.texts import LANGUAGES, NO, TEXTS, YES


def test_every_sentence_is_there_in_every_language_with_the_same_gaps() -> None:
    for name, texts in TEXTS.items():
        assert len(texts) == len(LANGUAGES), name
        gaps = [{gap for _, gap, _, _ in Formatter().parse(text) if gap} for text in texts]
        assert all(found == gaps[0] for found in gaps), name
        assert all(text.strip() for text in texts), name
    assert set(YES) == set(NO) == set(LANGUAGES)
