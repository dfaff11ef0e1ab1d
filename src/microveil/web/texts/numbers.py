"""Numbers as each language writes them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from string import Formatter
from typing import Any, NamedTuple


class Signs(NamedTuple):
    """What a language puts between digits, and before a percent sign."""

    point: str
    thousands: str
    percent: str
    most_together: int
    """Longest run of digits that is written without a gap."""


SIGNS: Mapping[str, Signs] = {"es": Signs(",", "\u202f", "\u00a0%", 4)}
"""English is what Python writes; the Academy's Spanish (Ortografía, 2010) has a comma, a thin space
from five digits on, and a space before the percent sign."""

_NUMBER = re.compile(
    r"(?P<whole>-?\d{1,3}(?:,\d{3})+|-?\d+)(?P<rest>\.\d+)?(?P<power>e[+-]\d+)?(?P<tail>\s?%)?"
)


def number(language: str, value: float, form: str = ",") -> str:
    """A number, written in Python's form (``,`` thousands, ``.1%`` percent) and then translated.

    >>> number("en", 12345.5, ",.1f"), number("es", 12345.5, ",.1f").replace("\u202f", " ")
    ('12,345.5', '12 345,5')
    """
    if form == ".1%" and value in (0, 1):
        form = ".0%"  # none and all need no decimals; what is nearly all does
    return translated(language, format(value, form))


def translated(language: str, written: str) -> str:
    """A number that was written in English; anything else stays as it is."""
    signs = SIGNS.get(language)
    found = None if signs is None else _NUMBER.fullmatch(written)
    if signs is None or found is None:
        return written
    whole, rest, tail = found["whole"], found["rest"] or "", found["tail"]
    if len(whole.replace(",", "").lstrip("-")) <= signs.most_together:
        whole = whole.replace(",", "")
    whole = whole.replace(",", signs.thousands)
    rest = rest.replace(".", signs.point) + (found["power"] or "")
    return whole + rest + (signs.percent if tail else "")


def translated_range(language: str, written: str) -> str:
    """Two numbers with a dash between them."""
    return "–".join(translated(language, one) for one in written.split("–"))


class Numbers(Formatter):
    """Fills the gaps of a sentence; a gap with a form of its own holds a number."""

    def __init__(self, language: str) -> None:
        self.language = language

    def format_field(self, value: Any, format_spec: str) -> str:
        """A gap's value; numbers as the language writes them."""
        written: str = super().format_field(value, format_spec)
        return translated(self.language, written) if format_spec else written
