"""Requests from analysts: parsed, priced, and written in canonical form."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from microveil.dp import QUERIES, Declaration, Loss, Price, Query, parse_sql, price
from microveil.dp.accounting.zcdp import pure_as_zcdp
from microveil.dp.prices.bills import n_cells
from microveil.dp.prices.loss import total
from microveil.dp.prices.rationals import Rational
from microveil.errors import QueryError
from microveil.registry.chain import canonical
from microveil.service.ledger.amounts import prices
from microveil.service.registry import DataSet, budget_amounts
from microveil.specs import Spec

Free = Literal["when_enough", "only", "never"]


class AskRequest(Spec):
    """A query or SQL, with what may be spent on it or how accurate it must be."""

    query: Annotated[Query, QUERIES] | None = None
    """One query, such as ``{"query": "count", "where": "age >= 30", "by": ["region"]}``."""
    sql: str | None = Field(default=None, min_length=1, max_length=20_000)
    """Or a SELECT statement, which may contain several queries."""
    spend: Loss | None = None
    """What may be spent, such as ``{"epsilon": "0.1"}``; split evenly if a statement contains
    several queries."""
    error: float | None = Field(default=None, gt=0)
    """Or the largest error of each number, half the width of its interval."""
    delta: Rational = Fraction(0)
    """The δ that may be spent to reach that error, if private keys need one."""
    confidence: float = Field(default=0.95, gt=0, lt=1)
    """Confidence level of the intervals."""
    free: Free = "when_enough"
    """Whether to accept an answer that follows from paid ones: ``when_enough`` if it is as
    accurate as a new one would be, ``only`` whatever its error, ``never``."""

    @model_validator(mode="after")
    def _one_of_each(self) -> Self:
        if (self.query is None) == (self.sql is None):
            raise ValueError("Give either `query` or `sql`.")
        if self.spend is not None and self.error is not None:
            raise ValueError("Give either `spend` or `error`.")
        if self.spend is None and self.error is None and self.free != "only":
            raise ValueError("Give a `spend` or an `error`.")
        return self


@dataclass(frozen=True)
class Asked:
    """A valid request: its queries, and what each will cost."""

    queries: tuple[Query, ...]
    offers: tuple[Price, ...]
    """Empty if only a free answer is wanted."""
    spends: tuple[Loss, ...]
    confidence: float
    free: Free

    @cached_property
    def text(self) -> str:
        """The request in canonical form."""
        plain = {
            "queries": [query.to_dict() for query in self.queries],
            "spends": [spend.to_dict() for spend in self.spends],
            "confidence": self.confidence,
        }
        return canonical(plain)

    @property
    def loss(self) -> Loss:
        """What the whole request costs."""
        return total(offer.loss for offer in self.offers)


def read_question(request: AskRequest, data: DataSet, most_rows: int) -> Asked:
    """Parse and price a request, without looking at data."""
    declaration = data.declaration
    queries = tuple(query.fit(declaration) for query in _queries(request, declaration))
    for query in queries:
        _check_size(query, declaration, most_rows)
    spends = _spends(request, queries, data)
    offers = tuple(
        price(query, declaration, spend, confidence=request.confidence)
        for query, spend in zip(queries, spends, strict=False)
    )
    return Asked(queries, offers, spends, request.confidence, request.free)


def charge_amounts(loss: Loss, data: DataSet) -> dict[str, Fraction]:
    """A privacy loss in the currency of the data set's budget, as the ledger charges it."""
    if data.terms.budget.rho and loss.epsilon:
        loss = Loss.of(0, loss.delta, loss.rho + pure_as_zcdp(loss.epsilon))
    return prices(budget_amounts(loss))


def _queries(request: AskRequest, declaration: Declaration) -> tuple[Query, ...]:
    if request.sql is not None:
        return parse_sql(request.sql, declaration).queries
    if request.query is None:
        raise QueryError("Give either `query` or `sql`.")
    return (request.query,)


def _check_size(query: Query, declaration: Declaration, most_rows: int) -> None:
    n_rows = n_cells(query, declaration, query.part(declaration))
    if n_rows > most_rows:
        raise QueryError(
            f"The answer would have {n_rows:,} rows; the limit is {most_rows:,}. Use fewer groups."
        )


def _spends(request: AskRequest, queries: tuple[Query, ...], data: DataSet) -> tuple[Loss, ...]:
    in_rho = bool(data.terms.budget.rho)
    if request.spend is not None:
        if request.spend.rho and not in_rho:
            raise QueryError("The budget of this data set is in ε: spend `epsilon`, not `rho`.")
        return (request.spend * Fraction(1, len(queries)),) * len(queries)
    if request.error is None:
        return ()
    wanted: dict[str, Any] = {"error": request.error, "delta": request.delta}
    wanted |= {"confidence": request.confidence, "currency": "rho" if in_rho else "epsilon"}
    return tuple(price(query, data.declaration, **wanted).loss for query in queries)
