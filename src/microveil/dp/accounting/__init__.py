"""Accounting: the joint cost of answers, in ε and δ, by ρ, or tightly from what was drawn."""

from microveil.dp.accounting.accountant import tight_delta, tight_epsilon
from microveil.dp.accounting.events import Event
from microveil.dp.accounting.gaussian import gaussian_delta, gaussian_epsilon, gaussian_mu
from microveil.statistics.zcdp import zcdp_epsilon, zcdp_rho

__all__ = [
    "Event",
    "gaussian_delta",
    "gaussian_epsilon",
    "gaussian_mu",
    "tight_delta",
    "tight_epsilon",
    "zcdp_epsilon",
    "zcdp_rho",
]
