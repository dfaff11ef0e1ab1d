"""Spellings of one value that differ only in case, accents or blanks."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Literal

import polars as pl

from microveil.hierarchies.hierarchy import Hierarchy
from microveil.tables.values import as_text

Ignored = Literal["case", "accents", "blanks"]
"""What spellings may differ in."""


def normal_form(text: str, ignore: Sequence[Ignored]) -> str:
    """A text without the differences that are ignored.

    >>> normal_form(" Zaragozá  CIUDAD ", ("case", "accents", "blanks"))
    'zaragoza ciudad'
    """
    if "accents" in ignore:
        parts = unicodedata.normalize("NFKD", text)
        text = unicodedata.normalize(
            "NFC", "".join(c for c in parts if not unicodedata.combining(c))
        )
    if "blanks" in ignore:
        text = " ".join(text.split())
    return text.casefold() if "case" in ignore else text


def with_spellings(hierarchy: Hierarchy, values: pl.Series, ignore: Sequence[Ignored]) -> Hierarchy:
    """The hierarchy with the column's other spellings of listed values, under the same labels.

    A spelling that fits several listed values under different labels fits none.
    """
    if not ignore:
        return hierarchy
    listed = as_text(hierarchy.values).to_list()
    places: dict[str, int] = {}
    torn: set[str] = set()
    labels = hierarchy.frame.get_columns()[1:]
    under = list(zip(*(level.to_list() for level in labels), strict=True))
    for place, text in enumerate(listed):
        form = normal_form(text, ignore)
        if form in places and under[places[form]] != under[place]:
            torn.add(form)
        places.setdefault(form, place)
    known = set(listed)
    column = as_text(values).drop_nulls().unique().sort().to_list()
    forms = {text: normal_form(text, ignore) for text in column if text not in known}
    found = {text: places[form] for text, form in forms.items() if form in places.keys() - torn}
    if not found:
        return hierarchy
    rows = [*range(len(listed)), *found.values()]
    first = pl.Series(hierarchy.frame.columns[0], [*listed, *found], dtype=pl.String)
    levels = [first, *(level.gather(rows) for level in labels)]
    return Hierarchy.of(levels, hierarchy.names)
