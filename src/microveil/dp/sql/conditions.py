"""Conditions read from SQL text into filters. Nothing is evaluated, nothing is passed on as SQL."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from decimal import Decimal
from functools import cache
from typing import TYPE_CHECKING, Any

from microveil.dp.filters import (
    WHOLE,
    ColumnComparison,
    Constant,
    Filter,
    Missing,
    Operator,
    comparison,
    conjunction,
    disjunction,
    member,
    negation,
)
from microveil.dp.sql.syntax import check_syntax, node_words
from microveil.errors import QueryError

if TYPE_CHECKING:
    from sqlglot import exp

LONGEST = 20_000
"""Characters of a statement."""
DEEPEST = 40
"""Brackets inside brackets, and chains of words that nest without them."""
MOST_TOKENS = 4_000
MOST_VALUES = 1_000
"""Values of an ``IN``."""
DIALECT = "duckdb"
LARGEST_POWER = 307
"""Numbers from 10^308 on are refused."""
EXACT_HALVES = 2**52
"""From here on not every fraction has a double of its own."""

_ALLOWED = (
    "Filters compare a column with a constant (=, !=, <, <=, >, >=, BETWEEN), test IN (…) or "
    "IS NULL, and join these by AND, OR and NOT."
)


def read_filter(text: str) -> Filter:
    """The filter a text describes.

    >>> str(read_filter("not (age < 30 or region = 'north')"))
    "age >= 30 AND region != 'north'"
    """
    from sqlglot import exp

    tree = parse_statement(f"SELECT 1 FROM t WHERE {text}\n")  # noqa: S608  read, never run
    where = tree.args.get("where")
    extra = [name for name, value in tree.args.items() if value and name not in _OF_A_FILTER]
    if not isinstance(tree, exp.Select) or where is None or extra:
        raise QueryError(f"This is not a condition. {_ALLOWED}")
    found = filter_of(where.this)
    check_syntax(where)
    if any(column.table for column in where.find_all(exp.Column)):
        raise QueryError("A filter names columns without a table.")
    return found


_OF_A_FILTER = ("where", "expressions", "from", "from_")


def parse_statement(text: str) -> exp.Expr:
    """The single statement of a text; text that is too long, too deep or not SQL is refused."""
    from sqlglot.errors import SqlglotError

    tokens = _tokens(text)
    try:
        with _silence_parser():
            found: list[exp.Expr | None] = _dialect().parser().parse(tokens, text)
        statements = [one for one in found if one is not None]
    except (SqlglotError, RecursionError, ValueError, IndexError, TypeError, AttributeError):
        # A message of the parser would quote the text, and possibly a person.
        raise QueryError(f"This SQL cannot be read. {_EXAMPLE}") from None
    if len(statements) != 1:
        raise QueryError("Give one statement at a time.")
    return statements[0]


_EXAMPLE = (
    "Write, for example, SELECT region, AVG(income) FROM survey WHERE age >= 30 GROUP BY region."
)


@cache
def _dialect() -> Any:
    from sqlglot.dialects.dialect import Dialect

    logging.getLogger("sqlglot").addFilter(_is_not_ours)
    return Dialect.get_or_raise(DIALECT)


_READING: ContextVar[bool] = ContextVar("reading", default=False)


@contextmanager
def _silence_parser() -> Iterator[None]:
    """Keep the parser's warnings out of logs: they quote the text, and possibly a person."""
    before = _READING.set(True)
    try:
        yield
    finally:
        _READING.reset(before)


def _is_not_ours(record: logging.LogRecord) -> bool:
    """Whether a record of the parser is about somebody else's text."""
    del record
    return not _READING.get()


def _tokens(text: str) -> list[Any]:
    """The words of a text that is not too long, too wordy or too deep."""
    from sqlglot.errors import SqlglotError
    from sqlglot.tokens import TokenType  # type: ignore[attr-defined]  # its own home

    if any("\ud800" <= letter <= "\udfff" for letter in text):
        raise QueryError("The text is not valid Unicode.")
    if len(text) > LONGEST:
        raise QueryError(f"The text has {len(text)} characters; at most {LONGEST} are allowed.")
    try:
        with _silence_parser():
            tokens: list[Any] = _dialect().tokenize(text)
    except (SqlglotError, ValueError, IndexError):
        raise QueryError(f"This SQL cannot be read. {_EXAMPLE}") from None
    if len(tokens) > MOST_TOKENS:
        raise QueryError(f"The text has {len(tokens)} words; at most {MOST_TOKENS} are allowed.")
    depth = nots = 0
    opening = {TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE, TokenType.CASE}
    closing = {TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE, TokenType.END}
    for token in tokens:
        depth += (token.token_type in opening) - (token.token_type in closing)
        nots += token.token_type in {TokenType.NOT, TokenType.DASH, TokenType.TILDE}
        if depth > DEEPEST or nots > MOST_VALUES:
            raise QueryError(f"The text nests deeper than {DEEPEST} brackets.")
    return tokens


def filter_of(node: exp.Expr) -> Filter:
    """The filter that a condition's tree represents."""
    from sqlglot import exp

    if isinstance(node, exp.Paren):
        return filter_of(node.this)
    if isinstance(node, exp.Not):
        return negation(filter_of(node.this))
    if isinstance(node, exp.And | exp.Or):
        parts = [filter_of(part) for part in node.flatten()]
        return conjunction(parts) if isinstance(node, exp.And) else disjunction(parts)
    leaf = _leaf(node)
    if leaf is None:
        raise QueryError(f"{node_words(node)} is not allowed in a filter. {_ALLOWED}")
    return leaf


def _leaf(node: exp.Expr) -> Filter | None:
    from sqlglot import exp

    if isinstance(node, exp.Column):
        return ColumnComparison(column_name(node), "=", value=True)
    if isinstance(node, exp.Is):
        return _is(node)
    if isinstance(node, exp.In):
        return _in(node)
    if isinstance(node, exp.Between):
        column = column_name(node.this)
        low, high = (constant(node.args[end]) for end in ("low", "high"))
        return conjunction([comparison(column, ">=", low), comparison(column, "<=", high)])
    operator = {name: sign for name, sign in _signs().items() if isinstance(node, name)}
    return _comparison(node, next(iter(operator.values()))) if operator else None


def _signs() -> dict[type[exp.Expr], Operator]:
    from sqlglot import exp

    return {
        exp.EQ: "=",
        exp.NEQ: "!=",
        exp.LTE: "<=",
        exp.GTE: ">=",
        exp.LT: "<",
        exp.GT: ">",
    }


_MIRRORED: dict[Operator, Operator] = {
    "=": "=",
    "!=": "!=",
    "<": ">",
    ">": "<",
    "<=": ">=",
    ">=": "<=",
}


def _comparison(node: exp.Expr, operator: Operator) -> Filter:
    from sqlglot import exp

    left, right = node.this, node.expression
    if not isinstance(left, exp.Column):
        left, right, operator = right, left, _MIRRORED[operator]
    return comparison(column_name(left), operator, constant(right))


def _is(node: exp.Expr) -> Filter:
    from sqlglot import exp

    right = node.expression
    column = column_name(node.this)
    if isinstance(right, exp.Null):
        return Missing(column)
    if isinstance(right, exp.Not) and isinstance(right.this, exp.Null):
        return Missing(column, negated=True)
    raise QueryError(f"IS is read only before NULL. {_ALLOWED}")


def _in(node: exp.Expr) -> Filter:
    if node.args.get("query") or node.args.get("unnest") or node.args.get("field"):
        raise QueryError(f"IN takes a list of constants, not a subquery. {_ALLOWED}")
    if not node.expressions or len(node.expressions) > MOST_VALUES:
        raise QueryError(f"IN takes from 1 to {MOST_VALUES} constants.")
    return member(column_name(node.this), [constant(value) for value in node.expressions])


def column_name(node: Any) -> str:
    """The name of a column; whether its table has it is checked elsewhere."""
    from sqlglot import exp

    if isinstance(node, exp.Paren):
        return column_name(node.this)
    if not isinstance(node, exp.Column) or isinstance(node.this, exp.Star):
        raise QueryError(f"{node_words(node)} stands where a column is needed. {_ALLOWED}")
    return str(node.name)


def constant(node: Any) -> Constant:
    """The constant that a tree represents: a number, text, boolean or date."""
    from sqlglot import exp

    if isinstance(node, exp.Paren):
        return constant(node.this)
    if isinstance(node, exp.Boolean):
        return bool(node.this)
    if isinstance(node, exp.Neg):
        inner = constant(node.this)
        if isinstance(inner, int | float) and not isinstance(inner, bool):
            return -inner
    if isinstance(node, exp.Cast) and isinstance(node.this, exp.Literal) and node.this.is_string:
        if node.to.this == exp.DataType.Type.DATE:
            return str(node.this.this)
    elif isinstance(node, exp.Literal):
        return str(node.this) if node.is_string else _number(str(node.this))
    raise QueryError(f"{node_words(node)} stands where a constant is needed. {_ALLOWED}")


def _number(text: str) -> int | float:
    """A number exactly as it is written, where a column can hold it; 0.1 is the nearest double."""
    try:
        exact = Decimal(text)
    except ArithmeticError:
        raise QueryError("A number in this SQL cannot be read.") from None
    if not exact.is_finite() or exact.adjusted() > LARGEST_POWER:
        raise QueryError("A number in this SQL is too large.")
    if exact == exact.to_integral_value() and exact.copy_abs() < WHOLE:
        return int(exact)
    if "." not in text and "e" not in text.lower():
        return int(text)
    if exact != exact.to_integral_value() and exact.copy_abs() >= EXACT_HALVES:
        raise QueryError("A number in this SQL has too many digits.")
    return float(exact)
