"""Plans: a budget split over several queries, with predicted errors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from microveil.dp.accounting import gaussian_mu
from microveil.dp.answering import as_loss, as_query
from microveil.dp.answers import Answer
from microveil.dp.declaration import Declaration, as_declaration
from microveil.dp.prices.families import Families
from microveil.dp.prices.loss import Loss
from microveil.dp.prices.pricing import Price, price
from microveil.dp.prices.rationals import as_float_below, exact
from microveil.dp.queries.base import Query
from microveil.errors import QueryError

if TYPE_CHECKING:
    from microveil.dp.session import Session


@dataclass(frozen=True)
class Item:
    """One query of a plan: what to spend on it, and what that buys."""

    query: Query
    spend: Loss
    price: Price


@dataclass(frozen=True)
class BudgetPlan:
    """How a budget is split over queries; nothing has been spent yet."""

    items: tuple[Item, ...]
    budget: Loss
    total: Loss
    """What all cost together, in the budget's currency or, for Gaussian noise, in ρ."""
    words: str
    """How the budget is split."""

    @property
    def frame(self) -> Any:
        """Questions, spends and errors as a Polars frame."""
        import polars as pl

        return pl.DataFrame(
            {
                "question": [item.query.describe() for item in self.items],
                "spend": [str(item.spend) for item in self.items],
                "error": [item.price.error for item in self.items],
            },
            schema_overrides={"error": pl.Float64},
        )

    def run(self, session: Session) -> tuple[Answer, ...]:
        """Ask every query for its share."""
        return tuple(session.ask(item.query, item.spend) for item in self.items)


def plan(
    queries: Iterable[Any],
    budget: Any,
    declaration: Any,
    *,
    weights: Sequence[Any] | None = None,
    confidence: float = 0.95,
) -> BudgetPlan:
    """Split a budget over queries by weight, by default evenly, and predict the errors.

    Queries about disjoint sets of rows are paid once, so that each of them gets the whole share.
    With an ε and a δ the split is made in ε (Laplace noise) and in μ² (Gaussian noise, which grows
    only with the root of the number of queries), and the one with smaller errors is kept; run the
    second in a session with tight accounting.
    """
    asked = [as_query(query) for query in queries]
    declaration, whole = as_declaration(declaration), as_loss(budget)
    if not asked:
        raise QueryError("A plan needs at least one query.")
    shares = _shares(asked, declaration, weights)
    plans = [_split(asked, shares, whole, declaration, confidence, "Split in its own currency.")]
    private = any(
        declaration.keys_of(name, query.join) is None for query in asked for name in query.by
    )
    if whole.epsilon and whole.delta and not private:
        mu = gaussian_mu(as_float_below(whole.epsilon), as_float_below(whole.delta) * (1 - 1e-6))
        rho = Loss.of(0, 0, Fraction(mu) ** 2 / 2)
        words = "Gaussian noise, split in ρ; run it with tight accounting."
        plans.append(_split(asked, shares, rho, declaration, confidence, words))
    return min(plans, key=_badness)


def _shares(
    asked: Sequence[Query], declaration: Declaration, weights: Sequence[Any] | None
) -> list[Fraction]:
    """What each question gets; those of one family get the share of the whole family."""
    if weights is not None and len(weights) != len(asked):
        raise QueryError("Give one weight for each query.")
    given = [exact(weight) for weight in weights] if weights else [Fraction(1)] * len(asked)
    if any(weight <= 0 for weight in given):
        raise QueryError("Weights must be above 0.")
    families = Families(declaration)
    for query, weight in zip(asked, given, strict=True):
        families.add(query, Loss.of(weight))
    everything = families.total.epsilon
    return [weight / everything for weight in given]


def _split(
    asked: Sequence[Query],
    shares: Sequence[Fraction],
    whole: Loss,
    declaration: Declaration,
    confidence: float,
    words: str,
) -> BudgetPlan:
    families = Families(declaration)
    items = []
    for query, share in zip(asked, shares, strict=True):
        spend = whole * share
        offer = price(query, declaration, spend, confidence=confidence)
        families.add(query, offer.loss)
        items.append(Item(query, spend, offer))
    return BudgetPlan(tuple(items), whole, families.total, words)


def _badness(one: BudgetPlan) -> float:
    scales = [noise.scale for item in one.items for noise in item.price.noises]
    return sum(scales)
