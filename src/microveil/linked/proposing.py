"""A first recipe for linked tables: links, roles of each table, and who the people are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from microveil.app import inspect
from microveil.errors import InputError
from microveil.linked.links import Link, propose_links
from microveil.linked.owners import Relations
from microveil.linked.recipe import Derived, LinkedRecipe, People
from microveil.methods import Drop
from microveil.privacy import KAnonymity
from microveil.recipes import Recipe
from microveil.tables import Roles

WORDS = (
    "person",
    "people",
    "patient",
    "participant",
    "subject",
    "individual",
    "member",
    "customer",
    "client",
    "employee",
    "student",
    "pupil",
    "resident",
    "user",
)
"""What tables of people are called."""
K = 5


def propose_recipe(tables: Mapping[str, pl.DataFrame]) -> LinkedRecipe:
    """A recipe to begin with: proposed links and roles, the number of rows of each table as known.

    Names are dropped; other steps are left to the user. Raises an error if no link shows which
    table is that of people.
    """
    links = propose_links(tables)
    table, key = _people(tables, links)
    keys = {(link.table, link.column) for link in links} | {(link.to, link.key) for link in links}
    recipes = {
        name: _recipe(_roles(frame, {column for at, column in keys if at == name}))
        for name, frame in tables.items()
    }
    whose = Relations.of(tables, links, table).whose
    counts = {
        f"n_{name}": Derived(table=name, take="count")
        for name in whose
        if name != table and any(link.table == name and link.to == table for link in links)
    }
    own = recipes[table].roles
    people = People(
        table=table,
        key=key,
        quasi_identifiers=(*own.quasi_identifiers, *counts),
        sensitive=own.sensitive,
        derived=counts,
        require=(KAnonymity(k=K),),
        suppress=True,
    )
    return LinkedRecipe(tables=recipes, links=tuple(links), people=people)


def _people(tables: Mapping[str, pl.DataFrame], links: Sequence[Link]) -> tuple[str, str]:
    """The table that is called like people; otherwise the one that most tables refer to."""
    met = {(link.to, link.key): 0 for link in links}
    for link in links:
        met[link.to, link.key] += 1
    if not met:
        raise InputError(
            "No links were found among tables {names:quoted}, so that people cannot be followed. "
            "Write the recipe by hand: links, and people.",
            names=sorted(tables),
        )
    called = [one for one in met if any(word in one[0].lower() for word in WORDS)]
    return max(called or met, key=lambda one: met[one])


def _recipe(roles: Roles) -> Recipe:
    return Recipe(roles=roles, steps=[Drop(columns=roles.identifiers)] if roles.identifiers else [])


def _roles(frame: pl.DataFrame, keys: set[str]) -> Roles:
    """The roles that inspection suggests, without keys, which are replaced anyway."""
    found: dict[str, Any] = inspect(frame).roles.to_dict()
    lists = ("identifiers", "quasi_identifiers", "sensitive", "insensitive")
    named = {role: [one for one in found.get(role, ()) if one not in keys] for role in lists}
    weight = found.get("weight")
    told = {one for some in named.values() for one in some}
    free = [one for one in frame.columns if one not in {*told, *keys, weight}]
    named["insensitive"] += free
    return Roles.parse({**named, "weight": weight if weight not in keys else None})
