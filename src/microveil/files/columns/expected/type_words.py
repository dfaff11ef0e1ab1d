"""Types of columns in the words of a schema."""

from __future__ import annotations

import polars as pl

from microveil.files.columns.expected.schema import TypeWord


def type_word(dtype: pl.DataType) -> TypeWord:
    """The type of a column in the words of recipes.

    >>> type_word(pl.Int8()), type_word(pl.Enum(["a"])), type_word(pl.Datetime(time_zone="UTC"))
    ('integer', 'text', 'instant')
    """
    if dtype.is_integer():
        return "integer"
    if dtype.is_numeric():
        return "number"
    if isinstance(dtype, pl.Datetime):
        return "datetime" if dtype.time_zone is None else "instant"
    plain: dict[type[pl.DataType], TypeWord] = {
        pl.Boolean: "boolean",
        pl.Date: "date",
        pl.Time: "time",
        pl.Duration: "duration",
    }
    if dtype.base_type() in plain:
        return plain[dtype.base_type()]
    return "list" if dtype.is_nested() else "text"


def passes_as(found: pl.DataType, expected: TypeWord) -> bool:
    """Whether a column of this type is one of the expected type; an empty one is of any type."""
    word = type_word(found)
    return found == pl.Null or word == expected or (word, expected) == ("integer", "number")
