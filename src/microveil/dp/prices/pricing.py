"""Prices: what a query costs and how accurate it will be, before anything is spent."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from microveil.display import percent
from microveil.dp.accounting.events import Event
from microveil.dp.answering import as_loss, as_query
from microveil.dp.declaration import Declaration, as_declaration
from microveil.dp.parts import Choice, Vector
from microveil.dp.prices.bills import Bill, bill, is_public, n_cells, top_error
from microveil.dp.prices.loss import Loss
from microveil.dp.prices.rationals import exact
from microveil.dp.spread import Noise, Spread
from microveil.errors import QueryError

if TYPE_CHECKING:
    from microveil.dp.queries.base import Query

Currency = Literal["epsilon", "rho"]
ErrorOf = Literal["value", "rank", "rows", "none"]

SMALLEST, LARGEST = 1e-9, 1e9
"""Between these spends the one for a wanted error is looked for."""
DIGITS = 3
"""Digits to which such a spend is rounded up."""


@dataclass(frozen=True)
class Price:
    """What an answer will cost, and its expected error."""

    query: Query
    loss: Loss
    """What will be charged."""
    error: float | None
    """Expected half width of the interval; None if it cannot be predicted."""
    error_of: ErrorOf
    """What the error refers to: the value, its rank, or, for the most frequent keys, the rows by
    which one left out may be more frequent."""
    noises: tuple[Noise, ...]
    events: tuple[Event, ...]
    confidence: float
    unit: str
    relation: str
    sentence: str
    bill: Bill = field(repr=False)
    """The noise it buys, from which the query is answered."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "query": self.query.to_dict(),
            "loss": self.loss.to_dict(),
            "error": self.error,
            "error_of": self.error_of,
            "confidence": self.confidence,
            "unit": self.unit,
            "relation": self.relation,
            "sentence": self.sentence,
        }


def price(
    query: Any,
    declaration: Any,
    spend: Any = None,
    *,
    error: float | None = None,
    currency: Currency = "epsilon",
    delta: Any = 0,
    confidence: float = 0.95,
) -> Price:
    """What a query costs: for a given spend, or for a requested error (half width).

    No data are needed. Means and quantities derived from them are predicted for the declared
    ``size``, without the filter; one that keeps a tenth of the rows makes their error ten times as
    large. For a quantile the error refers to the rank, in rows; for the most frequent keys it is
    the number of rows by which a key that is left out may be ahead of one that is named.
    """
    declaration = as_declaration(declaration)
    query = as_query(query).fit(declaration)
    if (spend is None) == (error is None):
        raise QueryError("Give either what may be spent or the requested error.")
    if spend is None:
        spend = _spend_for(query, declaration, float(error or 0), currency, delta, confidence)
    paid = bill(query, declaration, as_loss(spend))
    off, of = forecast(query, declaration, paid, confidence)
    return Price(
        query=query,
        loss=paid.loss,
        error=off,
        error_of=of,
        noises=paid.noises,
        events=paid.events,
        confidence=confidence,
        unit=declaration.unit,
        relation=declaration.relation,
        sentence=_sentence(query, paid, off, of, declaration, confidence),
        bill=paid,
    )


def forecast(
    query: Query, declaration: Declaration, paid: Bill, confidence: float
) -> tuple[float | None, ErrorOf]:
    """The half width that is to be expected, and what it is an error of."""
    part = paid.part
    if isinstance(part, Choice):
        if part.kind == "top":
            return top_error(paid, part, confidence), "rows"
        pick = paid.picks[0]
        rows = pick.scale * math.log((len(part.labels) + 2) / (1 - confidence))
        return rows / part.share.denominator, "rank"
    typical = _typical(query, declaration, part)
    if typical is None:
        return None, "none"
    found = part.finish(typical, Spread(paid.noises, confidence))
    return float(np.max(found.high - found.low)) / 2, "value"


def _typical(query: Query, declaration: Declaration, part: Vector) -> Any:
    """Terms of a group of average size, whose values lie evenly within the bounds."""
    direct = len(part.terms) == 1
    if declaration.size is None and not direct:
        return None
    rows = (declaration.size or 0) / n_cells(query, declaration, part)
    terms = []
    for term in part.terms:
        square = len(term.factors) > 1 and term.factors[0] == term.factors[1]
        each = float(term.high * term.unit) / 3 if square else float(not term.factors)
        terms.append(rows * each)
    return np.array([terms])


def _spend_for(
    query: Query,
    declaration: Declaration,
    error: float,
    currency: Currency,
    delta: Any,
    confidence: float,
) -> Loss:
    """The smallest spend, rounded up, whose expected error is not beyond the wanted one."""
    if not (math.isfinite(error) and error > 0):
        raise QueryError("The requested error must be a number above 0.")

    def spend(amount: float) -> Loss:
        return Loss.parse({currency: Fraction(_rounded_up(amount)), "delta": exact(delta)})

    def enough(amount: float) -> bool:
        try:
            paid = bill(query, declaration, spend(amount))
        except QueryError:
            if amount >= LARGEST:
                raise
            return False
        off, _ = forecast(query, declaration, paid, confidence)
        if off is None:
            raise QueryError(
                "The error of this query cannot be predicted. Give what may be spent, or declare "
                "a public `size` of the table."
            )
        return off <= error

    if is_public(query, declaration):
        return spend(SMALLEST)
    if not enough(LARGEST):
        raise QueryError("No spend makes the answer that accurate: allow a larger error.")
    low, high = math.log(SMALLEST), math.log(LARGEST)
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (low, middle) if enough(math.exp(middle)) else (middle, high)
    return spend(math.exp(high))


def _rounded_up(amount: float) -> str:
    power = math.floor(math.log10(amount)) - DIGITS + 1
    return f"{math.ceil(amount / 10.0**power - 1e-9)}e{power}"


def _sentence(
    query: Query,
    paid: Bill,
    off: float | None,
    of: ErrorOf,
    declaration: Declaration,
    confidence: float,
) -> str:
    asked = query.describe()
    head = f"{asked[0].upper()}{asked[1:]}"
    if paid.loss.is_free:
        return f"{head}: costs nothing, because the answer is public."
    text = f"{head}: costs {paid.loss}, between {declaration.relation}."
    if off is None:
        return text
    rows = {"rank": " rows in rank", "rows": " rows"}.get(of, "")
    return f"{text} The error is at most {off:,.6g}{rows} with {percent(confidence)} confidence."
