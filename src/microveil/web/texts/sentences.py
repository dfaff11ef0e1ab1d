"""Sentences that the library composes, in the language of the person."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from string import Formatter

from microveil.web.texts.es.sentences import SENTENCES, TIDY

TRANSLATED: Mapping[str, Mapping[str, str]] = {"es": SENTENCES}
TIDIED: Mapping[str, Mapping[str, str]] = {"es": TIDY}


def said(language: str, sentence: str) -> str:
    """A sentence of the library; one that the language does not know stays as it is.

    What stands in the gaps is translated, too.

    >>> said("es", "4-anonymity holds (required 4, reached 6).")
    'Se cumple: 4-anonimato (exigido 4, alcanzado 6).'
    """
    known = TRANSLATED.get(language)
    if known is None:
        return sentence
    if sentence in known:
        return known[sentence]
    for pattern, other in _patterns(language):
        found = pattern.fullmatch(sentence)
        if found is not None:
            gaps = {name: said(language, gap) for name, gap in found.groupdict().items()}
            return _tidied(language, other.format(**gaps))
    return sentence


def _tidied(language: str, sentence: str) -> str:
    for clumsy, better in TIDIED[language].items():
        sentence = re.sub(rf"\b{clumsy}\b", better, sentence)
    return sentence


def listed(language: str, reasons: tuple[str, ...]) -> str:
    """Several reasons in a line."""
    return "; ".join(said(language, one) for one in reasons)


@cache
def _patterns(language: str) -> list[tuple[re.Pattern[str], str]]:
    """The sentences with gaps, those with the most words first: the others may match them, too."""
    found = [(one, other) for one, other in TRANSLATED[language].items() if "{" in one]
    found.sort(key=lambda pair: -len(pair[0]))
    return [(_pattern(one), other) for one, other in found]


def _pattern(sentence: str) -> re.Pattern[str]:
    parts = []
    for plain, name, _, _ in Formatter().parse(sentence):
        parts.append(re.escape(plain))
        if name:
            parts.append(f"(?P<{name}>.+?)")
    return re.compile("".join(parts), re.DOTALL)
