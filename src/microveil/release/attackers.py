"""Attackers measured: what prosecutor, journalist and marketer may expect of a table."""

from __future__ import annotations

from microveil.risk import ReidentificationRisk
from microveil.risk.assessment.attackers import Attackers, attackers_of
from microveil.tables import Missing, Table


def attackers_in(table: Table, missing: Missing) -> Attackers:
    """The three attackers, measured on a table; none if it has no keys or no records."""
    if not table.height or not table.roles.quasi_identifiers:
        return Attackers()
    score = ReidentificationRisk(missing=missing).measure(table)
    return attackers_of({score.measure: score})
