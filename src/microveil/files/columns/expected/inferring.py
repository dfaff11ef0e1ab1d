"""Inferring a schema from data that are as they should be, without giving away any record.

Categories are listed only where each is common, and numbers of few records are rounded outwards, so
that the file can lie in a repository beside the recipe.
"""

from __future__ import annotations

import math
from datetime import date
from typing import Any

import polars as pl

from microveil.errors import InputError
from microveil.files.columns.expected.schema import ExpectedColumn, ExpectedSchema
from microveil.files.columns.expected.type_words import type_word
from microveil.tables import Door, Table

FEWEST = 10
"""Records that share a category or limit before it may be written down."""
LONGEST = 17
"""Digits of whole numbers that are rounded as such."""
MOST_CATEGORIES = 50
"""Columns with more values than this are no lists of categories."""


def infer_schema(data: Any, *, fewest: int = FEWEST) -> ExpectedSchema:
    """The schema of a table: columns, types, categories and ranges.

    A column of text has its categories listed if there are at most 50 and each is in at least
    ``fewest`` records. Limits of numbers that fewer records have are rounded outwards to one digit,
    and of dates only the decade of the first is kept. What is written is for you to correct.

    >>> found = infer_schema({"sex": ["f", "m"] * 10, "age": range(18, 38)})
    >>> found.to_dict()["columns"]["age"]
    {'type': 'integer', 'at_least': 10, 'at_most': 40, 'missing': False}
    """
    if fewest < 1:
        raise InputError("The fewest records are at least 1, not {fewest}.", fewest=fewest)
    frame = Table(Door(data).frame).frame
    columns = {series.name: _look_at(series, fewest) for series in frame.iter_columns()}
    return ExpectedSchema(columns=columns)


def _look_at(series: pl.Series, fewest: int) -> ExpectedColumn:
    word = type_word(series.dtype)
    said: dict[str, Any] = {"type": word, "missing": series.null_count() > 0 or not len(series)}
    cells = series.drop_nulls()
    if len(cells) and word in ("text", "boolean"):
        said["categories"] = _categories(cells, fewest)
    elif len(cells) and word in ("integer", "number"):
        said["at_least"], said["at_most"] = _limits(cells, fewest)
    elif len(cells) and word in ("date", "datetime", "instant"):
        said["at_least"] = _decade(cells)
    return ExpectedColumn.parse(said)


def _categories(cells: pl.Series, fewest: int) -> list[Any] | None:
    if cells.dtype != pl.Boolean:
        cells = cells.cast(pl.String)
    counts = cells.value_counts(name="n")
    if counts.height > MOST_CATEGORIES or int(counts["n"].min() or 0) < fewest:  # type: ignore[arg-type]
        return None
    return counts[cells.name].sort().to_list()


def _limits(cells: pl.Series, fewest: int) -> tuple[float | None, float | None]:
    if cells.dtype.is_float():
        cells = cells.filter(cells.is_finite())
    if not len(cells):
        return None, None
    low, high = (_number(one) for one in (cells.min(), cells.max()))
    step = _step(high - low or abs(high))
    rare = [int((cells == one).sum()) < fewest for one in (low, high)]
    down, up = math.floor(low / step) * step, math.ceil(high / step) * step
    least, most = (_tidy(down) if rare[0] else low), (_tidy(up) if rare[1] else high)
    # Numbers at the end of what floats hold round as they please: such limits are left out.
    return least if least <= low else None, most if math.isfinite(most) and most >= high else None


def _number(value: Any) -> float:
    """A number of a column; a decimal as a float."""
    return value if isinstance(value, int) else float(value)


def _step(span: float) -> float:
    """The power of ten that limits are rounded to."""
    power = math.floor(math.log10(span)) if span else 0
    return 10**power if 0 <= power < LONGEST else float(f"1e{power}")


def _tidy(value: float) -> float:
    """A limit without the digits that binary fractions add."""
    return value if isinstance(value, int) else float(f"{value:.12g}")


def _decade(cells: pl.Series) -> date | None:
    first = cells.dt.year().min()
    year = int(first) // 10 * 10 if isinstance(first, int) else 0
    return date(year, 1, 1) if year >= 1 else None
