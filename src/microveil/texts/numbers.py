"""Numbers as each language writes them: one way to write a share, one to write a count."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import NamedTuple

FINEST = 4
"""Decimals of the smallest percentage that is written out; what is smaller is given as a bound."""
_DIGITS = 2
"""Digits that count in a percentage near none or near all."""


class Signs(NamedTuple):
    """What a language puts between digits, and before a percent sign."""

    point: str
    thousands: str
    percent: str
    most_together: int
    """Longest run of digits that is written without a gap."""


SIGNS: Mapping[str, Signs] = {
    "es": Signs(",", "\u202f", "\u00a0%", 4),
    "ca": Signs(",", ".", "\u00a0%", 3),
    "et": Signs(",", "\u00a0", "%", 4),
    "ru": Signs(",", "\u00a0", "\u00a0%", 3),
}
"""English is what Python writes. The others are as Unicode's CLDR has them; only Spanish follows
the Academy (Ortografía, 2010), with a thin space from five digits on."""

_NUMBER = re.compile(
    r"(?P<whole>-?\d{1,3}(?:,\d{3})+|-?\d+)(?P<rest>\.\d+)?(?P<power>e[+-]\d+)?(?P<tail>\s?%)?"
)


def percent(share: float | None, language: str = "en", *, finest: int = FINEST) -> str:
    """A share in percent; only none is written as 0% and only all as 100%.

    One decimal, and near none and near all as many as two digits need, up to ``finest``; what is
    finer still is given as a bound.

    >>> percent(0.12345), percent(0.5), percent(1 / 30_000), percent(29_999 / 30_000)
    ('12.3%', '50%', '0.0033%', '99.9967%')
    >>> percent(1e-9), percent(0.001, finest=0), percent(0.9999, finest=0), percent(None)
    ('<0.0001%', '<1%', '>99%', '–')
    """
    if share is None or math.isnan(share):
        return "–"
    if not 0 < share < 1:
        return translate_number(language, f"{_trim(f'{100 * share:,.1f}')}%")
    least = 10.0**-finest
    away = 100 * min(share, 1 - share)  # from none, or from all, whichever is nearer
    if away < least:
        sign, bound = ("<", least) if share < 0.5 else (">", 100 - least)  # noqa: PLR2004  one half
        return sign + translate_number(language, f"{bound:.{finest}f}%")
    decimals = min(finest, max(1, _DIGITS - 1 - math.floor(math.log10(away))))
    return translate_number(language, f"{_trim(f'{100 * share:.{decimals}f}')}%")


def number(language: str, value: float, form: str = ",") -> str:
    """A number, written in Python's form (``,`` thousands, ``%`` a share) and then translated.

    >>> number("en", 12345.5, ",.1f"), number("es", 12345.5, ",.1f").replace("\u202f", " ")
    ('12,345.5', '12 345,5')
    >>> number("en", 0.00001, "%"), number("en", 0.00001, ".0%")
    ('0.001%', '<1%')
    """
    if form.endswith("%"):
        finest = form[1:-1] if form.startswith(".") else FINEST
        return percent(value, language, finest=int(finest))
    return translate_number(language, format(value, form))


def translate_number(language: str, written: str) -> str:
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
    return "–".join(translate_number(language, one) for one in written.split("–"))


def _trim(written: str) -> str:
    """Without zeros at the end of the decimals."""
    return written.rstrip("0").rstrip(".") if "." in written else written
