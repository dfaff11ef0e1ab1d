"""Spans: places in a text that must go, and the text without them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import NamedTuple

_WORD = re.compile(r"(?:[^\W_][\u0300-\u036f]*)+")
"""Letters may be followed by their accents, as some systems write them."""
_SPELT_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})


class Span(NamedTuple):
    """Part of a text, and what it is."""

    start: int
    end: int
    kind: str


class Word(NamedTuple):
    """A run of letters or digits in a text."""

    start: int
    end: int
    folded: str
    capital: bool
    """Whether it begins with a capital letter."""
    spelt_out: str
    """The same with ``ue`` for ü and the like."""


def fold(text: str) -> str:
    """Small letters without accents: how a name is compared, whoever typed it.

    >>> fold("Ångström-Œuvre")
    'angstrom-oeuvre'
    """
    if text.isascii():
        return text.lower()
    text = text.replace("ø", "o").replace("Ø", "O").replace("œ", "oe").replace("Œ", "Oe")
    text = text.replace("æ", "ae").replace("Æ", "Ae").replace("ł", "l").replace("Ł", "L")
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(sign for sign in plain if not unicodedata.combining(sign))


def spell_out(text: str) -> str:
    """The same letters where a keyboard has no umlauts.

    >>> spell_out("Müller")
    'mueller'
    """
    if text.isascii():
        return text.lower()
    return fold(unicodedata.normalize("NFC", text.lower()).translate(_SPELT_OUT))


def words_of(text: str) -> list[Word]:
    """The words of a text, in their order."""
    return [
        Word(one.start(), one.end(), fold(word), word[0].isupper(), spell_out(word))
        for one in _WORD.finditer(text)
        for word in (one.group(),)
    ]


def without(text: str, spans: Iterable[Span]) -> tuple[str, list[str]]:
    """The text with each span replaced by its kind in brackets, and the kinds replaced.

    Spans that overlap or touch become one, of the kind that begins first. Names side by side are
    one name.

    >>> without("Call Eva Ruiz now", [Span(5, 8, "name"), Span(9, 13, "name")])
    ('Call [name] now', ['name'])
    """
    merged: list[Span] = []
    for span in sorted(spans, key=lambda one: (one.start, -one.end)):
        if merged:
            last = merged[-1]
            gap = text[last.end : span.start]
            names = span.kind == last.kind == "name"
            alike = names and not gap.strip(" .,-'’") and "\n" not in gap
            if span.start <= last.end or alike:
                merged[-1] = last._replace(end=max(last.end, span.end))
                continue
        merged.append(span)
    pieces, at = [], 0
    for span in merged:
        pieces += [text[at : span.start], f"[{span.kind}]"]
        at = span.end
    return "".join([*pieces, text[at:]]), [span.kind for span in merged]
