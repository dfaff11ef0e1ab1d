"""Labels of cells: totals, marks of suppressed cells, and ranges of numbers."""

from __future__ import annotations

import math
import re
from typing import NamedTuple

_TOTALS = (
    "total|all|sum|totals|margin|overall|everyone|everybody|persons|grand total|all persons|"
    "both sexes|t|_t|gesamt|insgesamt|summe|alle|ensemble|tous|toutes|totale|totales|totali|"
    "tutti|totaal|totalt|suma|todos|todas|total general|razem|ogółem|celkem|spolu|kokku|"
    "yhteensä|summa|összesen|skupaj|ukupno|toplam|kopā|iš viso|σύνολο|всего|итого|усього|общо|"
    "jumlah|合計|合计|总计|總計|総数|계|전체|المجموع"
)
TOTALS = frozenset(["", *_TOTALS.split("|")])
"""Labels that stand for everybody, in several languages."""
_ALL = re.compile(r"^(?:all|total|alle|tous les|toutes les|todos los|todas las|tutti i|tutte le)\s")
_HIDDEN = re.compile(
    r"^(c|x|\*+|\.\.+|-|:|\[.*\]|suppressed|redacted|confidential|<\s*\d+)$", re.IGNORECASE
)
_NUMBER = r"(-?\d+(?:\.\d+)?)"
_BETWEEN = re.compile(rf"^\s*{_NUMBER}\s*(?:-|–|to)\s*{_NUMBER}\D*$")
_BELOW = re.compile(rf"^\s*(<=?|≤|under|below)\s*{_NUMBER}\D*$", re.IGNORECASE)
_ABOVE = re.compile(
    rf"^\s*(?:(>=?|≥|over)\s*{_NUMBER}|{_NUMBER}\s*(?:\+|and over))\D*$", re.IGNORECASE
)


class Range(NamedTuple):
    """Whole numbers from ``low`` to ``high``, both included."""

    low: float
    high: float

    def __str__(self) -> str:
        if math.isinf(self.low):
            return f"<{self.high + 1:g}"
        if math.isinf(self.high):
            return f"{self.low:g}+"
        return f"{self.low:g}" if self.low == self.high else f"{self.low:g}-{self.high:g}"

    def minus(self, inner: Range) -> Range | None:
        """What is left of a range without one that shares an end with it."""
        if inner == self:
            return None
        if inner.low == self.low and inner.high < self.high:
            return Range(inner.high + 1, self.high)
        if inner.high == self.high and inner.low > self.low:
            return Range(self.low, inner.low - 1)
        return None


def range_of(label: str) -> Range | None:
    """The range that a label names.

    >>> range_of("<20"), range_of("20-39"), range_of("65+")
    (Range(low=-inf, high=19.0), Range(low=20.0, high=39.0), Range(low=65.0, high=inf))
    """
    if found := _BETWEEN.match(label):
        return Range(float(found[1]), float(found[2]))
    if found := _BELOW.match(label):
        limit = float(found[2])
        return Range(-math.inf, limit if found[1] in {"<=", "≤"} else limit - 1)
    if found := _ABOVE.match(label):
        limit = float(found[2] or found[3])
        return Range(limit + 1 if found[1] in {">", "over"} else limit, math.inf)
    return None


def is_total(label: str) -> bool:
    """Whether a label stands for everybody."""
    plain = " ".join(label.split()).casefold().rstrip(":.")
    return plain in TOTALS or bool(_ALL.match(plain))


def is_hidden(text: str) -> bool:
    """Whether a cell's text says that it is suppressed."""
    return bool(_HIDDEN.match(text.strip()))
