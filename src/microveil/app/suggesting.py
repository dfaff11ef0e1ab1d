"""Suggest a recipe for an unknown table: a starting point, not a verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from microveil.app.coarsening import climb, ladder_of
from microveil.app.inspection import inspect
from microveil.errors import InputError
from microveil.methods import Drop, LocalSuppression, Method
from microveil.privacy import KAnonymity
from microveil.recipes import Recipe
from microveil.risk import acceptable_k
from microveil.tables import Roles, Table, to_polars

if TYPE_CHECKING:
    from microveil.app.inspection import Inspection

MOST_BLANKED = 0.05
"""Columns are coarsened until at most this share of the records needs suppression."""


def suggest(
    data: Any,
    roles: Roles | None = None,
    *,
    k: int | None = None,
    inspection: Inspection | None = None,
) -> Recipe:
    """Suggest a recipe: drop identifiers, coarsen fine columns, suppress cells that are still rare.

    Quasi-identifiers are coarsened one rung at a time (intervals, months and years, shortened
    codes, merged rare categories) until few records are left in small classes, whose single cells
    are suppressed. No record is removed. The default roles are those suggested by an inspection,
    the default k the acceptable one for the table's size.
    """
    frame = to_polars(data)
    looked = inspect(frame) if inspection is None else inspection
    roles = looked.roles if roles is None else Table(frame, roles).roles
    k = acceptable_k(frame.height) if k is None else k
    if not isinstance(k, int) or k < 2:  # noqa: PLR2004  k = 1 protects nobody
        raise InputError("k is a whole number of at least 2: how many records share their keys.")
    steps: list[Method] = [Drop(columns=roles.identifiers)] if roles.identifiers else []
    keys = roles.quasi_identifiers
    if keys:
        steps += [*_coarsened(frame, keys, looked, k), LocalSuppression(k=k)]
    require = [KAnonymity(k=k)] if keys else []
    return Recipe(roles=roles, steps=tuple(steps), require=tuple(require))


def _coarsened(
    frame: pl.DataFrame, keys: tuple[str, ...], looked: Inspection, k: int
) -> list[Method]:
    """The steps that coarsen the quasi-identifiers far enough."""
    ladders = [ladder_of(frame[name], looked[name], k) for name in keys]
    chosen = climb(ladders, k, MOST_BLANKED)
    steps = (ladder.usable[rung] for ladder, rung in zip(ladders, chosen, strict=True))
    return [step for step in steps if step is not None]
