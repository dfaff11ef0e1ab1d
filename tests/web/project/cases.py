"""The patients that tests of projects protect."""

from __future__ import annotations

from typing import Any

from microveil.privacy import KAnonymity
from microveil.recipes import Recipe
from microveil.tables import Roles
from microveil.web.project.examples import patients

ROLES = Roles(
    identifiers=["name"],
    quasi_identifiers=["sex", "age", "postcode"],
    sensitive=["disease"],
    insensitive=["occupation", "visits", "cost"],
)
PEOPLE = patients(400)


def recipe_of(*steps: Any, k: int = 3) -> Recipe:
    return Recipe(roles=ROLES, steps=steps, require=(KAnonymity(k=k),))
