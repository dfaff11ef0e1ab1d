"""Sentences: an answer, and what it cost, in plain words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from microveil.display import percent
from microveil.dp.parts import Choice
from microveil.dp.prices.bills import Bill, is_public, top_error

if TYPE_CHECKING:
    from microveil.dp.declaration import Declaration
    from microveil.dp.queries.base import Query


def sentence(
    query: Query,
    rows: Sequence[Mapping[str, Any]],
    paid: Bill,
    declaration: Declaration,
    confidence: float,
) -> str:
    """The query and its answer, how certain it is, and whom it protects."""
    asked = query.describe()
    head = f"{asked[0].upper()}{asked[1:]}"
    if is_public(query, declaration):
        return f"{head}: exactly {rows[0]['value']}, which is public."
    found = _describe_rows(rows, confidence) + _describe_choice(paid, confidence) * bool(rows)
    return f"{head}: {found}. It cost {paid.loss}, between {declaration.relation}."


def _describe_choice(paid: Bill, confidence: float) -> str:
    """How far a choice of keys may be wrong; nothing for other answers."""
    if not isinstance(paid.part, Choice) or paid.part.kind != "top":
        return ""
    rows = top_error(paid, paid.part, confidence)
    return (
        f"; with {percent(confidence)} confidence no key left out has {rows:,.6g} rows more than "
        "one of them"
    )


def _describe_rows(rows: Sequence[Mapping[str, Any]], confidence: float) -> str:
    sure = f"with {percent(confidence)} confidence"
    if len(rows) == 1 and rows[0]["low"] is not None:
        row = rows[0]
        shown = [_format_value(row[name]) for name in ("value", "low", "high")]
        return (
            f"about {shown[0]}, and {sure} between {shown[1]} and {shown[2]}, considering the noise"
        )
    if not rows:
        return "no key is frequent enough to appear"
    if rows[0]["low"] is None:
        return f"{len(rows)} rows, chosen with noise"
    return f"{len(rows)} rows, each in its interval {sure}, considering the noise"


def _format_value(value: Any) -> str:
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:,.6g}" if isinstance(value, float) else str(value)
