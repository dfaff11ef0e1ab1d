"""Predicates: a filter checked against the declaration, and as an expression over its columns."""

from __future__ import annotations

from datetime import date
from functools import reduce
from typing import TYPE_CHECKING

import polars as pl

from microveil.dp.declaration import Column
from microveil.dp.filters import (
    And,
    ColumnComparison,
    Constant,
    Filter,
    Membership,
    Missing,
    Or,
    leaves,
)
from microveil.errors import QueryError

if TYPE_CHECKING:
    from microveil.dp.declaration import Declaration

_LARGEST = 2**62


def check_filter(where: Filter | None, declaration: Declaration, join: tuple[str, ...]) -> None:
    """Raise unless every comparison fits the type of its column."""
    for leaf in () if where is None else leaves(where):
        column = declaration.column(leaf.column, join)
        match leaf:
            case ColumnComparison(name, operator, value):
                if operator not in {"=", "!="} and column.type in {"text", "boolean"}:
                    raise QueryError(
                        f"Column '{name}' is {column.type} and has no order; use = , != or IN."
                    )
                _check_constant(name, column, value)
            case Membership(name, values):
                for value in values:
                    _check_constant(name, column, value)


def _check_constant(name: str, column: Column, value: Constant) -> None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    fits = {
        "integer": is_number,
        "real": is_number,
        "boolean": isinstance(value, bool),
        "text": isinstance(value, str),
        "date": isinstance(value, str) and _date(value) is not None,
    }[column.type]
    if not fits:
        wanted = {
            "date": "an ISO date in quotes",
            "boolean": "TRUE or FALSE",
            "text": "text in quotes",
        }
        partner = wanted.get(column.type, "a number")
        raise QueryError(f"Column '{name}' is {column.type}; compare it with {partner}.")
    if is_number and abs(float(value)) > _LARGEST:
        raise QueryError(f"The number that column '{name}' is compared with is too large.")


def predicate(where: Filter, declaration: Declaration, join: tuple[str, ...]) -> pl.Expr:
    """The filter as an expression; a missing cell makes it neither true nor false."""
    match where:
        case And(parts):
            inner = [predicate(part, declaration, join) for part in parts]
            return reduce(lambda one, other: one & other, inner)
        case Or(parts):
            inner = [predicate(part, declaration, join) for part in parts]
            return reduce(lambda one, other: one | other, inner)
        case Missing(name, negated):
            cells = pl.col(name)
            return cells.is_not_null() if negated else cells.is_null()
        case Membership(name, values, negated):
            found = _among(name, declaration.column(name, join), values)
            return ~found if negated else found
        case ColumnComparison(name, operator, value):
            return _compared(name, declaration.column(name, join), operator, value)


def _compared(name: str, column: Column, operator: str, value: Constant) -> pl.Expr:
    cells = pl.col(name)
    if operator in {"=", "!="} and column.type == "text":
        found = _among(name, column, (value,))
        return found if operator == "=" else ~found
    if column.type == "boolean":
        return cells if bool(value) == (operator == "=") else ~cells
    limit = pl.lit(_date(str(value))) if column.type == "date" else pl.lit(value)
    return {
        "=": cells == limit,
        "!=": cells != limit,
        "<": cells < limit,
        "<=": cells <= limit,
        ">": cells > limit,
        ">=": cells >= limit,
    }[operator]


def _among(name: str, column: Column, values: tuple[Constant, ...]) -> pl.Expr:
    """Whether cells are among the values; unknown where they are missing."""
    cells = pl.col(name)
    if column.type == "text" and column.keys is not None:
        known = [value for value in values if value in column.keys]
        tests = [cells == pl.lit(value, dtype=enumeration(column)) for value in known]
    elif column.type == "date":
        tests = [cells == pl.lit(_date(str(value))) for value in values]
    else:
        tests = [cells == pl.lit(value) for value in values]
    nothing = pl.when(cells.is_not_null()).then(pl.lit(value=False))
    return reduce(lambda one, other: one | other, tests) if tests else nothing


def enumeration(column: Column) -> pl.Enum:
    """The data type of a text column with keys, whose codes are the numbers of the keys.

    Missing has a number too, which no cell has, so that the numbers of all keys stay.
    """
    keys = column.keys or ()
    blank = "\0missing"
    return pl.Enum([blank if key is None else str(key) for key in keys])


def _date(text: str) -> date | None:
    try:
        found = date.fromisoformat(text)
    except ValueError:
        return None
    # One way to write a date, so that dates compare as their texts do.
    return found if found.isoformat() == text else None
