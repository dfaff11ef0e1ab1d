"""A table, a goal and one search, which the tests of the room share."""

from __future__ import annotations

from functools import cache
from typing import Any

from microveil.app.advising import Advice, Goal, advise
from microveil.app.advising.draws import Draws
from microveil.app.advising.judging import Judge
from microveil.app.advising.situation import Situation
from microveil.progress import silent
from microveil.tables import Roles
from microveil.web.project.examples import patients

PEOPLE = patients(240)
ROLES = Roles(
    identifiers=("name",),
    quasi_identifiers=("sex", "age"),
    sensitive=("disease",),
    insensitive=("postcode", "occupation", "visits", "cost"),
)
K5: dict[str, Any] = {"model": "k_anonymity", "k": 5}
LINKED: dict[str, Any] = {"measure": "linkability", "at_most": 0.1}


def situation(**goal: Any) -> Situation:
    """The situation of a goal; k-anonymity is required unless it says otherwise."""
    return Situation.of(PEOPLE, ROLES, Goal.parse({"require": [K5]} | goal), None)


def judge(**goal: Any) -> Judge:
    """A judge with draws that do not change."""
    return Judge(situation(**goal), Draws.of(7))


@cache
def found() -> Advice:
    """What a short search for 5-anonymity finds."""
    goal = Goal(require=[K5])
    return advise(PEOPLE, ROLES, goal, seconds=600, work=3, seed=7, progress=silent)
