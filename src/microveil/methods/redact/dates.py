"""Dates in a text, however they are written, and whether they are those of a person."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from datetime import date
from itertools import permutations
from typing import NamedTuple

from microveil.methods.redact.spans import Span, fold

_MONTHS = (
    "jan ene gen janv", "feb fev fevr veeb", "mar mrz maer maart mars marz", "apr abr avr",
    "may mai mag maio maj mei", "jun giu juin juun", "jul lug juil juul", "aug ago aou aout",
    "sep set sept", "oct okt ott out", "nov", "dec dez dic det des",
)  # fmt: skip
"""Beginnings of the months' names in western Europe and Estonia, without accents."""
_FINNISH = "tamm helm maal huht touk kesa hein elok syys loka marr joul"
_POLISH = "styc lute marc kwie maja czer lipc sier wrze pazd listo grud"
_CYRILLIC = ("янв", "фев", "мар", "апр", "ма", "июн", "июл", "авг", "сен", "окт", "ноя", "дек")
_STARTS = (
    {start: number for number, starts in enumerate(_MONTHS, start=1) for start in starts.split()}
    | {
        start: number
        for starts in (_FINNISH, _POLISH)
        for number, start in enumerate(starts.split(), start=1)
    }
    | {fold(start): number for number, start in enumerate(_CYRILLIC, start=1)}
)
_YEAR = r"(?:1[89]|20|21)\d{2}|['’]?\d{2}"
_NAME = r"(?:[^\W\d_][\u0300-\u036f]*){3,}"
_ORDINAL = r"(?:st|nd|rd|th|er|º|ª|°|\.)?"
_JOIN = r"[\s.,\-/]*(?:of |de |del )?"
_FORMS = (
    re.compile(r"(?<!\d)(\d{1,4})([-/.]|\s[-/.]\s|\s)(\d{1,2})\2(\d{1,4})(?!\d)"),
    re.compile(r"(?<!\d)((?:1[89]|20|21)\d{2})((?:0[1-9]|1[0-2]))((?:0[1-9]|[12]\d|3[01]))(?!\d)"),
)
_DAY_FIRST = re.compile(
    rf"(?<![\w])(\d{{1,2}}){_ORDINAL}{_JOIN}({_NAME})\.?(?:{_JOIN}({_YEAR})(?!\d))?", re.IGNORECASE
)
_MONTH_FIRST = re.compile(
    rf"(?<!\w)({_NAME})\.?[\s\-]*(\d{{1,2}}){_ORDINAL}(?!\d)(?:[\s,]*({_YEAR})(?!\d))?",
    re.IGNORECASE,
)
_ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")
_ROMAN_MONTH = re.compile(r"(?<!\w)(\d{1,2})[ .\-/]{1,2}([IVX]{1,4})[ .\-/]{1,2}(\d{4})(?!\d)")
_EASTERN = re.compile(r"(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일]")
_TWO_DIGITS, _FOUR_DIGITS = 2, 4


class Reading(NamedTuple):
    """What a date may mean; no year, or one of two digits, as it is written."""

    year: int | None
    month: int
    day: int

    def is_of(self, day: date) -> bool:
        """Whether this is how a date may have been written."""
        if (self.month, self.day) != (day.month, day.day):
            return False
        return self.year is None or self.year in {day.year, day.year % 100}


def date_spans(text: str, own: Collection[date], *, every: bool) -> Iterator[Span]:
    """Dates of a text: every one, or those that may be one of a person's own.

    >>> text = "seen Jan. 31st, 2024, again 1/2/24"
    >>> own = [date(2024, 1, 31), date(2024, 2, 1)]
    >>> sorted(text[one.start : one.end] for one in date_spans(text, own, every=False))
    ['1/2/24', 'Jan. 31st, 2024']
    """
    for start, end, readings in _read_all(text):
        if readings and (every or any(one.is_of(day) for one in readings for day in own)):
            yield Span(start, end, "date")


def _read_all(text: str) -> Iterator[tuple[int, int, list[Reading]]]:
    for found in _FORMS[0].finditer(text):
        yield found.start(), found.end(), _read_numbers([found[1], found[3], found[4]])
    for found in _FORMS[1].finditer(text):
        yield found.start(), found.end(), _read_numbers([found[1], found[2], found[3]])
    for found in _EASTERN.finditer(text):
        yield found.start(), found.end(), _read_numbers([found[1], found[2], found[3]])
    for found in _ROMAN_MONTH.finditer(text):
        if found[2] in _ROMAN:
            month = _ROMAN.index(found[2]) + 1
            yield found.start(), found.end(), _real(int(found[3]), month, int(found[1]))
    for found in _DAY_FIRST.finditer(text):
        yield found.start(), found.end(), _read_name(found[1], found[2], found[3])
    for found in _MONTH_FIRST.finditer(text):
        yield found.start(), found.end(), _read_name(found[2], found[1], found[3])


def _read_numbers(parts: list[str]) -> list[Reading]:
    """Every order in which three numbers are a date; a year stands first or last."""
    found = []
    for year, month, day in permutations(range(3)):
        if year == 1 or len(parts[month]) > _TWO_DIGITS or len(parts[day]) > _TWO_DIGITS:
            continue
        if len(parts[year]) in {_TWO_DIGITS, _FOUR_DIGITS}:
            found += _real(int(parts[year]), int(parts[month]), int(parts[day]))
    return found


def _read_name(day: str, month: str, year: str | None) -> list[Reading]:
    name = fold(month)
    number = next((_STARTS[name[:n]] for n in (4, 5, 3, 2) if name[:n] in _STARTS), None)
    if number is None:
        return []
    return _real(None if year is None else int(year.strip("'’")), number, int(day))


def _real(year: int | None, month: int, day: int) -> list[Reading]:
    """The reading, if there is such a day."""
    try:
        date(2000 if year is None or year < 100 else year, month, day)  # noqa: PLR2004  two digits
    except ValueError:
        return []
    return [Reading(year, month, day)]
