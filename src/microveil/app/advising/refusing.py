"""Refusing: goals that no release can reach, told before anything is tried."""

from __future__ import annotations

import polars as pl

from microveil.app.advising.limits_drawn import drawn_checks
from microveil.app.advising.situation import Situation
from microveil.errors import InputError
from microveil.measures.base import RiskMeasure
from microveil.measures.subject import Subject
from microveil.synthesis.private.domain import HOW_TO_DECLARE
from microveil.texts import Message


def refuse_nothing_asked(here: Situation) -> None:
    """Refuse to call a table safe only because no column is a key and nothing is required."""
    if not here.require and here.goal.epsilon is None and not any(here.roles.key_sets().values()):
        raise InputError(
            "No column is a key and the goal requires nothing, so any table would do: name the "
            "keys (quasi_identifiers, -q), or give the goal a requirement."
        )


def refuse_undeclared(here: Situation) -> None:
    """Refuse epsilon where it is not known from elsewhere what a column may contain."""
    roles = here.roles
    gone = {*roles.identifiers, roles.entity, roles.household, *here.goal.domain}
    lacking = [name for name in here.frame.columns if name in roles.named and name not in gone]
    if here.goal.epsilon is not None and lacking:
        raise InputError(
            "With `epsilon` a goal needs the possible values of every column; there are none for "
            "{lacking:quoted}. {how}",
            lacking=lacking,
            how=HOW_TO_DECLARE,
        )


def refuse_ceilings(here: Situation, draw: int) -> None:
    """Refuse a ceiling below what even an empty table has: one without a single value left."""
    ceilings = [one for one in here.limits if isinstance(one.spec, RiskMeasure)]
    if not ceilings:
        return
    shown = [*here.keys, *here.contents]
    blank = here.table.with_columns(
        [
            pl.Series(name, [None] * here.table.height, dtype=here.frame[name].dtype)
            for name in shown
        ]
    )
    subject = Subject.of(here.table, blank)
    for one in ceilings:
        for check in drawn_checks(one, subject, (draw,)):
            reached = float(check.achieved)
            if not check.holds and abs(reached) < float("inf"):
                raise InputError(
                    Message(
                        "advise.ceiling_too_low",
                        "'{title}' cannot be met: even a table without a value has {reached:.4g}. "
                        "Raise the ceiling to that or more.",
                        title=check.title,
                        reached=reached,
                    )
                )
