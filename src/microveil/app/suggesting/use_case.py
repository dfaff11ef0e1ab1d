"""Suggest a recipe for an unknown table: a starting point that was tried out, not a verdict."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from microveil.app.inspection import inspect
from microveil.app.suggesting.attempt import Attempt
from microveil.app.suggesting.ceilings import limit_attacks
from microveil.app.suggesting.grounds import Audience, Ground, ground_for
from microveil.app.suggesting.proposal import Proposal
from microveil.errors import GoalNotReachedError, InputError
from microveil.files.columns.retyping import retype
from microveil.methods import SetMissing
from microveil.recipes import Recipe
from microveil.tables import Door, Roles, Table
from microveil.texts import Message

if TYPE_CHECKING:
    from microveil.app.inspection import Inspection


CLEARED = ("missing_code", "impossible_age", "future_date")
"""Dirt that is made missing; units that are mixed are for a person to decide."""


def suggest(
    data: Any,
    roles: Roles | None = None,
    *,
    k: int | None = None,
    audience: Audience | None = None,
    inspection: Inspection | None = None,
) -> Recipe:
    """Suggest a recipe: drop identifiers, coarsen fine columns, suppress cells that are still rare.

    Quasi-identifiers are coarsened along what their values mean (intervals, parts of dates, levels
    of known codes, neighbours in an order), and only then by merging rare categories. Several
    recipes are tried, and the one that keeps most distinctions between records is returned: it has
    been run on the table, and k-anonymity holds. Exact measures that single out records are rounded
    or averaged in groups. No record is removed. The default roles are those suggested by an
    inspection; k follows from the ``audience`` (``public``, ``research``, ``internal``), which also
    sets ceilings on simulated attacks, by default from the number of people in the table.
    :func:`propose` also tells the losses.
    """
    return propose(data, roles, k=k, audience=audience, inspection=inspection).recipe


def propose(
    data: Any,
    roles: Roles | None = None,
    *,
    k: int | None = None,
    audience: Audience | None = None,
    inspection: Inspection | None = None,
    seed: int | None = None,
) -> Proposal:
    """Suggest a recipe with its release, its loss by column and its reasons.

    >>> found = propose({"age": [31, 32, 47, 48], "sex": ["f", "f", "m", "m"]}, k=2)
    >>> found.release.holds, [column.name for column in found.columns]
    (True, ['age', 'sex'])
    """
    frame = Door(data).frame
    looked = inspect(frame) if inspection is None else inspection
    types = looked.reading.columns
    frame = retype(frame, {name: types[name] for name in types if name in frame.columns})
    roles = looked.roles if roles is None else Table(frame, roles).roles
    k = default_ground(Table(frame, roles), audience).k if k is None else k
    if not isinstance(k, int) or k < 2:  # noqa: PLR2004  k = 1 protects nobody
        raise InputError("k is a whole number of at least 2: how many records share their keys.")
    found = n_people(Table(frame, roles))
    if found < k and roles.quasi_identifiers:
        raise GoalNotReachedError(
            Message(
                "suggest.few_people",
                "The table is about {n:,} people, fewer than k = {k}: nothing can give each of "
                "them so many alike. Lower k, or release no table.",
                n=found,
                k=k,
            )
        )
    first = tuple(clear_codes(looked, roles))
    for step in first:
        frame = step.protect(frame)
    proposal = Attempt(frame, roles, looked, k, first).best(data, seed)
    return limit_attacks(proposal, data, audience, seed)


def clear_codes(looked: Inspection, roles: Roles) -> Iterator[SetMissing]:
    """A step for each released column with codes of missing values, or impossible values."""
    released = {*roles.quasi_identifiers, *roles.sensitive, *roles.insensitive}
    for found in looked.warnings:
        here = found.topic in CLEARED and released.issuperset(found.columns)
        if here and isinstance(found.step, SetMissing):
            yield found.step


def default_ground(table: Table, audience: str | None = None) -> Ground:
    """The k for an audience, or for the number of people (records, if no entity is named)."""
    return ground_for(n_people(table), audience, entity=table.people is not None)


def n_people(table: Table) -> int:
    """People in a table: its records, or what its entity tells apart."""
    return table.height if table.people is None else len(np.unique(table.people))
