"""Differential privacy: queries to a private table, priced, answered with noise, accounted for.

What an owner declares, what an analyst asks, and what it costs are frozen specs; nothing is derived
from the data without noise::

    declaration = Declaration.read("survey.yaml")     # columns, bounds, keys, entity, neighbours
    ready = prepare(frame, declaration)               # once per table; holds the data
    query = Mean(column="income", where="age >= 30", by="region")
    query = parse_sql("SELECT AVG(income) FROM survey", declaration).queries[0]
    QUERIES.parse({"query": "mean", "column": "income"}); query.to_dict(); query.canonical()
    offer = price(query, declaration, spend=Loss(epsilon="0.5"))   # or error=…: no data needed
    found = answer(query, ready, spend=Loss(epsilon="0.5"))        # Answer; .to_dict()
    found.value, found.interval, found.frame, found.loss, found.events, found.sentence
    dummy_table(declaration, rows=100)                # generated from the declaration, for dry runs
    session = Session(frame, declaration, budget=Loss(epsilon=1)); session.ask(query, error=50)
    plan(queries, budget, declaration)                # splits a budget, predicts errors

**Loss** has three exact parts, ``epsilon``, ``delta``, ``rho`` (fractions; written as text such as
``"1/10"``). Budgets, spends and prices are all losses: ``a + b``, ``a - b``, ``a * share``,
``a.fits(budget)``, ``a.larger(b)``, ``a.for_group(n)``. A spend is in one currency: ε (Laplace
noise), ε with δ (the smaller of Laplace and Gaussian; private keys), or ρ (Gaussian noise).

**Families** recognise queries about disjoint sets of rows, which are paid once
(``Families.charge``). **tight_epsilon** gives the joint cost of a list of ``events``.

Errors: :class:`~microveil.errors.QueryError` (not supported, with what to do),
:class:`~microveil.errors.BudgetError` (too little is left), ``SpecError`` (does not parse).
"""

from microveil.dp.accounting import (
    Event,
    gaussian_delta,
    gaussian_epsilon,
    gaussian_mu,
    tight_delta,
    tight_epsilon,
    zcdp_epsilon,
    zcdp_rho,
)
from microveil.dp.answering import answer
from microveil.dp.answers import Answer
from microveil.dp.audits import Audit, audit, audit_in_one_run
from microveil.dp.coverage import Coverage, coverage
from microveil.dp.declaration import Column, Declaration, Entity, PublicTable
from microveil.dp.dummy import dummy_table
from microveil.dp.filters import Filter, as_filter
from microveil.dp.marginals import marginals
from microveil.dp.mechanisms import (
    above_threshold,
    exponential,
    gaussian,
    laplace,
    laplace_density,
    randomized_response,
    report_noisy_max,
    response_loss,
)
from microveil.dp.prepared import Prepared, prepare
from microveil.dp.prices.families import Families, disjoint
from microveil.dp.prices.loss import Loss
from microveil.dp.prices.planning import BudgetPlan, plan
from microveil.dp.prices.pricing import Price, price
from microveil.dp.queries import (
    QUERIES,
    Contingency,
    Correlation,
    Count,
    Covariance,
    DistinctCount,
    Histogram,
    LinearRegression,
    LogisticRegression,
    Mean,
    Median,
    Quantile,
    Query,
    Sum,
    TopK,
    Variance,
)
from microveil.dp.responses import ResponseEstimate, estimate_responses
from microveil.dp.session import Session
from microveil.dp.spread import Noise
from microveil.dp.sql.parsing import Statement, parse_sql

__all__ = [
    "QUERIES",
    "Answer",
    "Audit",
    "BudgetPlan",
    "Column",
    "Contingency",
    "Correlation",
    "Count",
    "Covariance",
    "Coverage",
    "Declaration",
    "DistinctCount",
    "Entity",
    "Event",
    "Families",
    "Filter",
    "Histogram",
    "LinearRegression",
    "LogisticRegression",
    "Loss",
    "Mean",
    "Median",
    "Noise",
    "Prepared",
    "Price",
    "PublicTable",
    "Quantile",
    "Query",
    "ResponseEstimate",
    "Session",
    "Statement",
    "Sum",
    "TopK",
    "Variance",
    "above_threshold",
    "answer",
    "as_filter",
    "audit",
    "audit_in_one_run",
    "coverage",
    "disjoint",
    "dummy_table",
    "estimate_responses",
    "exponential",
    "gaussian",
    "gaussian_delta",
    "gaussian_epsilon",
    "gaussian_mu",
    "laplace",
    "laplace_density",
    "marginals",
    "parse_sql",
    "plan",
    "prepare",
    "price",
    "randomized_response",
    "report_noisy_max",
    "response_loss",
    "tight_delta",
    "tight_epsilon",
    "zcdp_epsilon",
    "zcdp_rho",
]
