"""Safe Harbor: cells that say more than the United States' privacy rule lets out."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import ClassVar, Literal

import polars as pl

from microveil.files.columns.cell_content import CONTACTS, tells_date
from microveil.measures.base import RiskMeasure
from microveil.pairs.reading import rows_once
from microveil.scores import Score
from microveil.tables import Table
from microveil.tables.roles import Columns, check_columns

OLDEST = 89
"""The highest age that may be published."""
SMALL_ZIPS = (
    "036", "059", "063", "102", "203", "556", "692", "790", "821",
    "823", "830", "831", "878", "879", "884", "890", "893",
)  # fmt: skip
"""First three digits of ZIP codes with 20,000 people or fewer (census of 2000), as listed in the
guidance of the Office for Civil Rights (2012)."""

_OPEN_ENDED = (
    r"(?i)^\s*(?:[<>≤≥]|up to|until|over|under|before|after)"
    r"|(?:\+|or (?:before|earlier|older|more|over|above))\s*$"
)
_WHOLE = r"\d+"
_TEXTS = (pl.String, pl.Categorical, pl.Enum)

Found = tuple[str, str, pl.Series]
"""A column, a letter of the rule with its words, and which cells are concerned."""


class SafeHarbor(RiskMeasure):
    """Number of cells that say more than HIPAA Safe Harbor allows (45 CFR 164.514(b)(2)).

    Every column is read by its content, whatever its name, its type and the number of its
    values: dates finer than the year (C) as dates, as text in many forms, and as whole numbers
    like 20200301; e-mail, web, IP and device addresses, phone and social security numbers (D–G,
    M–O). What content alone does not tell is named: ``ages`` above 89 and years of birth
    (``births``) that imply them, unless in one open-ended category such as ``90+``; more than
    three digits of ``postcodes``, and the beginnings of sparsely populated areas. Any further
    ``dates`` may hold years only. Names, places, record numbers, pictures and free text are not
    recognised: see the preset ``hipaa_safe_harbor``, which drops them.

    ``parts`` counts cells by column and letter. Missing cells say nothing; an empty table scores
    0. Time grows with the cells.

    >>> stays = {"admitted": ["2020-03-01", "2020", None], "age": [34, 90, 95]}
    >>> score = SafeHarbor(ages=["age"]).measure(stays)
    >>> score.value, score.parts["n_cells"]
    (2.0, {'admitted': 1, 'age': 1})
    """

    question: ClassVar[str] = "Does anything name people?"
    title: ClassVar[str] = "Cells that Safe Harbor forbids"
    by_default: ClassVar[bool] = False
    reads_all_columns: ClassVar[bool] = True
    name: Literal["safe_harbor"] = "safe_harbor"
    ages: Columns = ()
    """Columns of ages in years."""
    births: Columns = ()
    """Columns of years of birth."""
    postcodes: Columns = ()
    """Columns of ZIP codes."""
    dates: Columns = ()
    """Columns in which nothing finer than a year may stand, in whatever form."""
    contacts_only: bool = False
    """Whether only addresses and numbers that lead to people are looked for (D–G, M–O)."""
    year: int | None = None
    """Year as of which ages are computed from years of birth; by default the current one."""

    def score(self, original: Table | None, table: Table) -> Score:  # noqa: ARG002  one table is enough
        """Read every released cell; rows that repeat what others say of a person count once."""
        frame = table.frame if table.people is None else table.frame[rows_once(table)]
        named = {*self.ages, *self.births, *self.postcodes, *self.dates} & set(frame.columns)
        check_columns(tuple(named), frame.columns)
        cells: dict[str, pl.Series] = {}
        letters: dict[str, set[str]] = {}
        for name, letter, found in self._find(frame):
            if found.any():
                cells[name] = cells[name] | found if name in cells else found
                letters.setdefault(name, set()).add(letter)
        n_cells = {name: int(found.sum()) for name, found in cells.items()}
        return Score(
            measure=self.kind(),
            value=float(sum(n_cells.values())),
            scale="cells",
            parts={
                "n_cells": n_cells,
                "letters": {name: sorted(found) for name, found in letters.items()},
                "n_columns": len(n_cells),
            },
        )

    def faults(self, score: Score) -> tuple[str, ...]:
        """The columns with such cells."""
        return tuple(score.parts["n_cells"])

    def _find(self, frame: pl.DataFrame) -> Iterator[Found]:
        for column in frame.get_columns():
            if column.dtype in _TEXTS:
                text = column.cast(pl.String)
                for letter, pattern in CONTACTS.items():
                    yield column.name, letter, text.str.contains(pattern).fill_null(value=False)
            if not self.contacts_only:
                yield column.name, "C dates", tells_date(column)
                yield from self._found_as_named(column)

    def _found_as_named(self, column: pl.Series) -> Iterator[Found]:
        """What is found where the fields say what a column holds."""
        name = column.name
        if name in self.dates:
            yield name, "C dates", _beyond(column, 9_999)
        if name in self.ages:
            yield name, "C ages above 89", _beyond(column, OLDEST + 1)
        if name in self.births:
            last = (self.year or datetime.now(UTC).year) - OLDEST - 1
            yield name, "C years of birth of people above 89", _born_by(column, last)
        if name in self.postcodes:
            yield name, "B places smaller than a state", _tells_place(column)


def _numbers(column: pl.Series) -> pl.Series:
    """The whole numbers in each cell, none for a cell that is open-ended or missing."""
    text = _text(column)
    closed = ~text.str.contains(_OPEN_ENDED).fill_null(value=True)
    numbers = text.str.extract_all(_WHOLE).cast(pl.List(pl.Float64), strict=False)
    return pl.select(pl.when(closed).then(numbers)).to_series()


def _text(column: pl.Series) -> pl.Series:
    """Cells as text; numbers without fractions, whose digits would be taken for others."""
    if column.dtype.is_float():
        column = column.fill_nan(None).floor().cast(pl.Int64, strict=False)
    return column.cast(pl.String, strict=False)


def _beyond(column: pl.Series, most: int) -> pl.Series:
    """Cells that name a number above the highest allowed."""
    return (_numbers(column).list.max() > most).fill_null(value=False)


def _born_by(column: pl.Series, last: int) -> pl.Series:
    """Cells that name a year of birth up to the last forbidden one."""
    years = _numbers(column).list.eval(pl.element().filter(pl.element() > 1_000))  # noqa: PLR2004  a year has four digits
    return (years.list.min() <= last).fill_null(value=False)


def _tells_place(column: pl.Series) -> pl.Series:
    """Cells with more than three digits of a ZIP code, or three of a sparsely populated area."""
    text = _text(column)
    if column.dtype.is_numeric():
        text = text.str.zfill(3)  # a number has lost its leading zeros
    small = text.str.slice(0, 3).is_in(SMALL_ZIPS) & text.str.contains(r"^\d{3}(?:\D|$)")
    return (text.str.contains(r"\d{4}") | small).fill_null(value=False)
