"""Session: queries to one table against one budget, kept in memory."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Literal

from microveil.dp.accounting import Event, tight_epsilon
from microveil.dp.accounting.accountant import rounded_up
from microveil.dp.accounting.filtering import GaussianFilter
from microveil.dp.accounting.zcdp import pure_as_zcdp
from microveil.dp.answering import answer_bill, as_loss, as_query
from microveil.dp.answers import Answer
from microveil.dp.declaration import Declaration
from microveil.dp.prepared import Prepared, prepare
from microveil.dp.prices.families import Families
from microveil.dp.prices.loss import Loss
from microveil.dp.prices.pricing import Price, price
from microveil.dp.prices.rationals import exact
from microveil.dp.sql.parsing import parse_sql
from microveil.errors import BudgetError, InputError

Accounting = Literal["sum", "tight"]


class Session:
    """A private table, a budget, and what has been answered.

    The budget is one ε, an ε with a δ, or a ρ. With ``accounting="sum"`` prices are added up
    exactly; queries about disjoint sets of rows are paid once. With ``"tight"`` an ε with a δ is
    spent by a filter for Gaussian differential privacy, which affords far more queries; ``keys``
    sets a part of the δ aside for breakdowns by private keys. Both hold for analysts whose next
    query depends on the answers so far. Repeating a query returns the same answer for free. A
    session is lost when the process ends; the query service keeps its ledger on disk.
    """

    def __init__(
        self,
        table: Any,
        declaration: Any = None,
        budget: Any = None,
        *,
        accounting: Accounting = "sum",
        keys: Any = 0,
        public: Mapping[str, Any] | None = None,
    ) -> None:
        """Prepare the table once; ``public`` holds public tables by name."""
        self._ready = table if isinstance(table, Prepared) else prepare(table, declaration, public)
        self.budget = as_loss(budget)
        self.accounting = accounting
        if accounting == "tight" and not (self.budget.epsilon and self.budget.delta):
            raise InputError("Tight accounting needs a budget of an ε with a δ.")
        self._filter = GaussianFilter(self.budget.epsilon, self.budget.delta, exact(keys))
        if not 0 <= self._filter.key_delta <= self.budget.delta:
            raise InputError("The δ for private keys must be a part of the budget's.")
        self._families = Families(self.declaration)
        self._events: list[Event] = []
        self._answers: dict[str, Answer] = {}

    @property
    def declaration(self) -> Declaration:
        """What is publicly known of the table."""
        return self._ready.declaration

    @property
    def history(self) -> tuple[Answer, ...]:
        """The answers so far, oldest first."""
        return tuple(self._answers.values())

    @property
    def spent(self) -> Loss:
        """What has been spent; with tight accounting, the ε of all together at the budget's δ."""
        if self.accounting == "sum":
            return self._families.total
        if not self._events:
            return Loss()
        epsilon = rounded_up(self._filter.noise_epsilon)
        return Loss.of(Fraction(epsilon), self.budget.delta)

    @property
    def left(self) -> Loss:
        """What is left of the budget."""
        return self.budget - self.spent

    def price(self, query: Any, spend: Any = None, **wanted: Any) -> Price:
        """What a query would cost; nothing is spent."""
        return price(query, self.declaration, spend, **self._in_currency(spend, wanted))

    def ask(self, query: Any, spend: Any = None, **wanted: Any) -> Answer:
        """Answer a query for a spend, or for a requested ``error``, from the budget."""
        query = as_query(query).fit(self.declaration)
        known = self._answers.get(query.canonical())
        if known is not None and self._is_enough(known, query, spend, wanted):
            return known
        offer = self.price(query, spend, **wanted)
        self._afford(offer)
        found = answer_bill(offer.query, self._ready, offer.bill, offer.confidence)
        self._families.add(query, self._convert_loss(found.loss))
        self._events += found.events
        if self.accounting == "tight":
            self._filter = self._filter.with_events(found.events)
        self._answers[query.canonical()] = found
        return found

    def sql(self, text: str, spend: Any = None, **wanted: Any) -> tuple[Answer, ...]:
        """Answer a statement; a spend is split evenly over its queries."""
        queries = parse_sql(text, self.declaration).queries
        share = None if spend is None else as_loss(spend) * Fraction(1, len(queries))
        return tuple(self.ask(query, share, **wanted) for query in queries)

    def _in_currency(self, spend: Any, wanted: dict[str, Any]) -> dict[str, Any]:
        if spend is None and self.budget.rho and "currency" not in wanted:
            return wanted | {"currency": "rho"}
        return wanted

    def _is_enough(self, known: Answer, query: Any, spend: Any, wanted: dict[str, Any]) -> bool:
        """Whether a stored answer is as accurate as the one requested now."""
        if spend is None and "error" not in wanted:
            return True
        offer = self.price(query, spend, **wanted)
        return all(
            old.deviation <= new.deviation
            for old, new in zip(known.noises, offer.noises, strict=True)
        )

    def _afford(self, offer: Price) -> None:
        if self.accounting == "tight":
            self._pass_filter(offer)
            return
        extra = self._families.charge(offer.query, self._convert_loss(offer.loss))
        left = self.left
        if not extra.fits(left):
            raise BudgetError(
                f"This costs {extra}, and {left} is left of {self.budget}. "
                "Spend less on it, or allow a larger error."
            )

    def _pass_filter(self, offer: Price) -> None:
        after = self._filter.with_events(offer.events)
        if after.admits:
            return
        if after.lost > after.key_delta:
            raise BudgetError(
                f"Private keys would use a δ of {float(after.lost):.4g}, and "
                f"{float(after.key_delta):.4g} was set aside for them. Tight accounting needs that "
                "beforehand: Session(…, keys=…); or use accounting='sum'."
            )
        raise BudgetError(
            f"The budget of {self.budget} does not cover this: all answers together would cost "
            f"ε = {after.noise_epsilon:.4g}. Spend less on it, or allow a larger error."
        )

    def _convert_loss(self, loss: Loss) -> Loss:
        """A loss in the budget's currency; pure ε counts as ρ = ε²/2."""
        if self.accounting == "sum" and self.budget.rho and loss.epsilon:
            return Loss.of(0, loss.delta, loss.rho + pure_as_zcdp(loss.epsilon))
        return loss

    def epsilon(self, delta: Any) -> float:
        """The joint ε of all answers at δ, if the queries were fixed beforehand.

        The smallest of the known bounds. For queries that depend on earlier answers the budget
        is what holds.
        """
        return tight_epsilon(self._events, delta) if self._events else 0.0

    def __repr__(self) -> str:
        return (
            f"Session({self.declaration.name!r}, {len(self._answers)} answers, "
            f"spent {self.spent} of {self.budget})"
        )
