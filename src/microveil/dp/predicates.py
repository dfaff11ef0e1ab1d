"""Predicates: a filter fitted to the declaration, and as an expression over its columns.

Fitting brings every constant to the type of its column, once. What is counted, compared and stored
is the fitted filter, so that two filters that are disjoint by their constants are disjoint for the
engine too.
"""

from __future__ import annotations

import math
from datetime import date
from functools import reduce
from typing import TYPE_CHECKING, Any, NoReturn

import polars as pl

from microveil.dp.declaration import Column
from microveil.dp.filters import (
    And,
    ColumnComparison,
    Constant,
    Filter,
    Membership,
    Missing,
    Operator,
    Or,
    comparison,
    conjunction,
    disjunction,
    member,
    one_way,
)
from microveil.errors import QueryError

if TYPE_CHECKING:
    from microveil.dp.declaration import Declaration

_LARGEST = 2**63 - 1
"""Largest number that a column of integers holds."""
_WANTED = {
    "date": "an ISO date in quotes",
    "boolean": "TRUE or FALSE",
    "text": "text in quotes",
}


def fit_filter(where: Filter, declaration: Declaration, join: tuple[str, ...] = ()) -> Filter:
    """The filter with each constant in its column's type; what has no place there is refused.

    Fitting again changes nothing.

    >>> from microveil.dp.declaration import Declaration
    >>> from microveil.dp.filters import as_filter
    >>> table = Declaration.parse({"columns": {"age": {"type": "integer"}}})
    >>> str(fit_filter(as_filter("age < 30.5"), table))
    'age <= 30'
    """
    match where:
        case And(parts):
            return conjunction(fit_filter(part, declaration, join) for part in parts)
        case Or(parts):
            return disjunction(fit_filter(part, declaration, join) for part in parts)
        case Missing(name):
            declaration.column(name, join)
            return where
        case Membership(name, values, negated):
            column = declaration.column(name, join)
            fitted = [_fit(name, column, value) for value in values if not _lies_off(column, value)]
            return (
                member(name, fitted, negated=negated) if fitted else _never(name, negated=negated)
            )
        case ColumnComparison(name, operator, value):
            return _fit_comparison(name, declaration.column(name, join), operator, value)


def _fit_comparison(name: str, column: Column, operator: Operator, value: Constant) -> Filter:
    is_equality = operator in {"=", "!="}
    if not is_equality and column.type in {"text", "boolean"}:
        raise QueryError(f"Column '{name}' is {column.type} and has no order; use = , != or IN.")
    if _lies_off(column, value):
        if is_equality:
            return _never(name, negated=operator == "!=")
        # Between two whole numbers: the nearest on the side that the comparison keeps.
        below = operator in {"<", "<="}
        value = math.floor(float(value)) if below else math.ceil(float(value))
        operator = "<=" if below else ">="
    return comparison(name, operator, _fit(name, column, value))


def _lies_off(column: Column, value: Constant) -> bool:
    """Whether a fraction is compared with whole numbers, which are never equal to it."""
    is_fraction = isinstance(value, float) and math.isfinite(value) and not value.is_integer()
    return column.type == "integer" and is_fraction


def _never(name: str, *, negated: bool) -> Filter:
    """What no cell is, or every cell that is not missing."""
    present = Missing(name, negated=True)
    return present if negated else conjunction([Missing(name), present])


def _fit(name: str, column: Column, value: Constant) -> Constant:
    """A constant in the type of its column."""
    if column.type in {"integer", "real"}:
        if isinstance(value, bool | str):
            _refuse_kind(name, column)
        return _whole(name, value) if column.type == "integer" else _double(name, value)
    fits = {
        "boolean": isinstance(value, bool),
        "text": isinstance(value, str),
        "date": isinstance(value, str) and _date(value) is not None,
    }[column.type]
    if not fits:
        _refuse_kind(name, column)
    return value


def _refuse_kind(name: str, column: Column) -> NoReturn:
    partner = _WANTED.get(column.type, "a number")
    raise QueryError(f"Column '{name}' is {column.type}; compare it with {partner}.")


def _whole(name: str, value: float) -> int:
    if not math.isfinite(value) or abs(value) > _LARGEST:
        raise QueryError(f"The number that column '{name}' is compared with is too large.")
    return int(value)


def _double(name: str, value: float) -> Constant:
    try:
        near = float(value)
    except OverflowError:
        near = math.inf
    if not math.isfinite(near):
        raise QueryError(f"The number that column '{name}' is compared with is too large.")
    if near != value:
        raise QueryError(
            f"Column '{name}' holds floating-point numbers, and the number that it is compared "
            "with is not one: it has too many digits."
        )
    return one_way(near)


def predicate(where: Filter, declaration: Declaration, join: tuple[str, ...]) -> pl.Expr:
    """The filter as an expression; a missing cell makes it neither true nor false."""
    return _expression(fit_filter(where, declaration, join), declaration, join)


def _expression(where: Filter, declaration: Declaration, join: tuple[str, ...]) -> pl.Expr:
    match where:
        case And(parts):
            inner = [_expression(part, declaration, join) for part in parts]
            return reduce(lambda one, other: one & other, inner)
        case Or(parts):
            inner = [_expression(part, declaration, join) for part in parts]
            return reduce(lambda one, other: one | other, inner)
        case Missing(name, negated):
            cells = pl.col(name)
            return cells.is_not_null() if negated else cells.is_null()
        case Membership(name, values, negated):
            found = _among(name, declaration.column(name, join), values)
            return ~found if negated else found
        case ColumnComparison(name, operator, value):
            return _comparison(name, declaration.column(name, join), operator, value)


def _comparison(name: str, column: Column, operator: str, value: Constant) -> pl.Expr:
    cells = pl.col(name)
    if operator in {"=", "!="}:
        found = _among(name, column, (value,))
        return found if operator == "=" else ~found
    limit = pl.lit(_cell(column, value), dtype=TYPES[column.type])
    return {
        "<": cells < limit,
        "<=": cells <= limit,
        ">": cells > limit,
        ">=": cells >= limit,
    }[operator]


def _among(name: str, column: Column, values: tuple[Constant, ...]) -> pl.Expr:
    """Whether cells are among the values; unknown where they are missing."""
    dtype: Any = TYPES[column.type]
    if column.type == "text" and column.keys is not None:
        keys, dtype = frozenset(column.keys), enumeration(column)
        values = tuple(value for value in values if value in keys)
    listed = pl.Series([_cell(column, value) for value in values], dtype=dtype, strict=True)
    return pl.col(name).is_in(listed.implode())


def _cell(column: Column, value: Constant) -> Any:
    """A fitted constant as the engine holds it."""
    if column.type == "date":
        return date.fromisoformat(str(value))
    return float(value) if column.type == "real" else value


TYPES: dict[str, Any] = {
    "integer": pl.Int64,
    "real": pl.Float64,
    "boolean": pl.Boolean,
    "text": pl.String,
    "date": pl.Date,
}
"""How the engine holds each declared type; text with keys as an enumeration of them."""


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
