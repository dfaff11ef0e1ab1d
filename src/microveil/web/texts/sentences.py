"""Sentences that the library composes, in the language of the person."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from string import Formatter
from typing import NamedTuple

from microveil.texts import Message, translate
from microveil.texts.numbers import translated
from microveil.web.texts.es.sentences import SENTENCES, TIDY

TRANSLATED: Mapping[str, Mapping[str, str]] = {"es": SENTENCES}
TIDIED: Mapping[str, Mapping[str, str]] = {"es": TIDY}

_PERCENT = re.compile(r"(?<!\w)'[^']*'(?!\w)|(\d) %")


def said(language: str, sentence: str) -> str:
    """A sentence of the library; one that the language does not know stays as it is.

    What stands in the gaps is translated, too.

    >>> said("es", "4-anonymity holds (required 4, reached 6).")
    'Se cumple: 4-anonimato (exigido 4, alcanzado 6).'
    """
    if isinstance(sentence, Message):
        return translate(sentence, language)
    known = TRANSLATED.get(language)
    if known is None:
        return _closed_up(sentence)
    if sentence in known:
        return known[sentence]
    for pattern in _patterns(language):
        found = pattern.english.fullmatch(sentence)
        if found is not None:
            gaps = {
                name: gap if name in pattern.quoted else _gap(language, gap)
                for name, gap in found.groupdict().items()
            }
            return _tidied(language, pattern.other.format(**gaps))
    return sentence


def _closed_up(sentence: str) -> str:
    """Percent signs next to their numbers, as English has them; quoted names stay as they are."""
    return _PERCENT.sub(lambda found: f"{found[1]}%" if found[1] else found[0], sentence)


def _gap(language: str, gap: str) -> str:
    """What stands in a gap: a sentence, or a number."""
    return translated(language, said(language, gap))


def _tidied(language: str, sentence: str) -> str:
    for clumsy, better in TIDIED[language].items():
        sentence = re.sub(rf"\b{clumsy}\b", better, sentence)
    return sentence


def listed(language: str, reasons: tuple[str, ...]) -> str:
    """Several reasons in a line."""
    return "; ".join(said(language, one) for one in reasons)


class _Pattern(NamedTuple):
    """A sentence with gaps."""

    english: re.Pattern[str]
    other: str
    """The same sentence in the language."""
    quoted: frozenset[str]
    """Gaps in quotation marks: names, which stay as they are."""


@cache
def _patterns(language: str) -> list[_Pattern]:
    """The sentences with gaps, those with the most words first: the others may match them, too."""
    found = [(one, other) for one, other in TRANSLATED[language].items() if "{" in one]
    found.sort(key=lambda pair: -len(pair[0]))
    return [_Pattern(_pattern(one), other, _quoted(one)) for one, other in found]


def _quoted(sentence: str) -> frozenset[str]:
    return frozenset(re.findall(r"'\{(\w+)\}'", sentence))


def _pattern(sentence: str) -> re.Pattern[str]:
    parts = []
    for plain, name, _, _ in Formatter().parse(sentence):
        parts.append(re.escape(plain))
        if name:
            parts.append(f"(?P<{name}>.+?)")
    return re.compile("".join(parts), re.DOTALL)
