"""Filters: which rows a query is about. A small tree, written and parsed as text.

Comparisons of a column with a constant, ``IN``, ``IS NULL``, ``AND`` and ``OR``; a ``NOT`` is moved
into the comparisons. As in SQL, a comparison with a missing cell is neither true nor false, and
only rows for which the whole condition is true are counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic_core import core_schema

from microveil.errors import QueryError

Operator = Literal["=", "!=", "<", "<=", ">", ">="]
Constant = bool | int | float | str
WHOLE = 2**64
"""Whole numbers below this are written with all their digits, and read exactly."""

OPPOSITE: dict[Operator, Operator] = {
    "=": "!=",
    "!=": "=",
    "<": ">=",
    ">=": "<",
    ">": "<=",
    "<=": ">",
}


@dataclass(frozen=True)
class ColumnComparison:
    """A column compared with a constant."""

    column: str
    operator: Operator
    value: Constant

    def __str__(self) -> str:
        return f"{name_text(self.column)} {self.operator} {constant_text(self.value)}"


@dataclass(frozen=True)
class Membership:
    """A column whose value is, or is not, one of several."""

    column: str
    values: tuple[Constant, ...]
    negated: bool = False

    def __str__(self) -> str:
        listed = ", ".join(constant_text(value) for value in self.values)
        return f"{name_text(self.column)} {'NOT ' if self.negated else ''}IN ({listed})"


@dataclass(frozen=True)
class Missing:
    """A column that is, or is not, missing."""

    column: str
    negated: bool = False

    def __str__(self) -> str:
        return f"{name_text(self.column)} IS {'NOT ' if self.negated else ''}NULL"


@dataclass(frozen=True)
class And:
    """All parts hold."""

    parts: tuple[Filter, ...]

    def __str__(self) -> str:
        return " AND ".join(f"({p})" if isinstance(p, Or) else str(p) for p in self.parts)


@dataclass(frozen=True)
class Or:
    """At least one part holds."""

    parts: tuple[Filter, ...]

    def __str__(self) -> str:
        return " OR ".join(f"({p})" if isinstance(p, And) else str(p) for p in self.parts)


Filter = ColumnComparison | Membership | Missing | And | Or
LEAVES = (ColumnComparison, Membership, Missing)


def name_text(name: str) -> str:
    """A column's name, quoted if it is not a plain word."""
    plain = re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) and name.upper() not in RESERVED
    return name if plain else '"' + name.replace('"', '""') + '"'


RESERVED = frozenset(
    """ALL AND ANY AS ASC BETWEEN BY CASE CAST CROSS CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP
    CURRENT_USER DATE DESC DISTINCT DIV ELSE END ESCAPE EXCEPT EXISTS FALSE FETCH FILTER FOR FROM
    FULL GROUP HAVING IF ILIKE IN INNER INTERSECT INTERVAL INTO IS JOIN LATERAL LEFT LIKE LIMIT MAP
    NATURAL NOT NULL OFFSET ON OR ORDER OUTER OVER PARTITION QUALIFY RANGE RIGHT ROW ROWS SELECT
    SET SIMILAR SOME STRUCT TABLE THEN TIME TIMESTAMP TO TRUE UNION UNNEST USING VALUES WHEN WHERE
    WINDOW WITH XOR""".split()  # noqa: SIM905  a list of words is read as words
)
"""Words that have another meaning if they are not quoted."""


def constant_text(value: Constant) -> str:
    """A constant as SQL writes it."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    return repr(value)


def comparison(column: str, operator: Operator, value: Constant) -> ColumnComparison:
    """A comparison in canonical form: not true is false, and 3.0 is 3."""
    if isinstance(value, bool) and operator == "!=":
        return ColumnComparison(column, "=", not value)
    return ColumnComparison(column, operator, one_way(value))


def one_way(value: Constant) -> Constant:
    """A whole number without a point."""
    whole = isinstance(value, float) and value.is_integer() and abs(value) < WHOLE
    return int(value) if whole else value


def conjunction(parts: Iterable[Filter]) -> Filter:
    """All of these, flattened, without duplicates, in canonical order."""
    return _join_parts(And, parts)


def disjunction(parts: Iterable[Filter]) -> Filter:
    """Any of these, flattened, without duplicates, in canonical order."""
    return _join_parts(Or, parts)


def _join_parts(kind: type[And | Or], parts: Iterable[Filter]) -> Filter:
    flat: dict[str, Filter] = {}
    for part in parts:
        inner = part.parts if isinstance(part, kind) else (part,)
        flat |= {str(one): one for one in inner}
    ordered = tuple(flat[text] for text in sorted(flat))
    return ordered[0] if len(ordered) == 1 else kind(ordered)


def member(column: str, values: Iterable[Constant], *, negated: bool = False) -> Filter:
    """Membership in a set; one value is a comparison."""
    distinct = {constant_text(one_way(value)): one_way(value) for value in values}
    ordered = tuple(distinct[text] for text in sorted(distinct))
    if len(ordered) == 1:
        return comparison(column, "!=" if negated else "=", ordered[0])
    return Membership(column, ordered, negated)


def negation(of: Filter) -> Filter:
    """The opposite, which is also unknown for a missing cell, as in SQL."""
    match of:
        case ColumnComparison(column, operator, value):
            return comparison(column, OPPOSITE[operator], value)
        case Membership(column, values, negated):
            return Membership(column, values, not negated)
        case Missing(column, negated):
            return Missing(column, not negated)
        case And(parts):
            return disjunction(negation(part) for part in parts)
        case Or(parts):
            return conjunction(negation(part) for part in parts)


def leaves(of: Filter) -> Iterator[ColumnComparison | Membership | Missing]:
    """The comparisons of a filter."""
    if isinstance(of, And | Or):
        for part in of.parts:
            yield from leaves(part)
    else:
        yield of


def filter_columns(of: Filter | None) -> tuple[str, ...]:
    """The columns used by a filter, each once."""
    return () if of is None else tuple(dict.fromkeys(leaf.column for leaf in leaves(of)))


def as_filter(raw: Any) -> Filter | None:
    """A filter unchanged, or parsed from text: ``age >= 30 AND region IN ('north', 'east')``."""
    if raw is None or isinstance(raw, ColumnComparison | Membership | Missing | And | Or):
        return raw
    if not isinstance(raw, str):
        raise QueryError("A filter is text such as `age >= 30 AND region = 'north'`.")
    from microveil.dp.sql.conditions import read_filter

    return read_filter(raw)


def _read(raw: Any) -> Filter | None:
    try:
        return as_filter(raw)
    except QueryError as error:
        # What pydantic lists beside the other problems of a query.
        raise ValueError(str(error)) from None


class _AsText:
    """Tells pydantic that a filter is read from text and written as text.

    Otherwise pydantic would analyse the tree again for every kind of query.
    """

    @staticmethod
    def __get_pydantic_core_schema__(source: Any, handler: Any) -> core_schema.CoreSchema:
        del source, handler
        return core_schema.no_info_plain_validator_function(
            _read,
            serialization=core_schema.plain_serializer_function_ser_schema(
                lambda where: None if where is None else str(where)
            ),
        )

    @staticmethod
    def __get_pydantic_json_schema__(schema: Any, handler: Any) -> dict[str, Any]:
        del schema, handler
        return {"anyOf": [{"type": "string"}, {"type": "null"}]}


Where = Annotated[Filter | None, _AsText]
"""A filter, or the text of one."""
