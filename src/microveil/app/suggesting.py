"""Suggest a recipe for a table nobody has looked at yet: a start to be changed, not a verdict."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import polars as pl

from microveil.app.inspection import inspect
from microveil.hierarchies import Dates, Digits, Intervals
from microveil.methods import Drop, Generalize, GroupRare, Method, SuppressRecords
from microveil.privacy import KAnonymity
from microveil.recipes import Recipe
from microveil.risk import acceptable_k
from microveil.tables import Roles, to_polars

if TYPE_CHECKING:
    from microveil.app.inspection import ColumnProfile, Inspection

MANY_VALUES = 20
"""A quasi-identifier with more distinct values than this is coarsened."""
N_INTERVALS = 10


def suggest(
    data: Any,
    roles: Roles | None = None,
    *,
    k: int | None = None,
    inspection: Inspection | None = None,
) -> Recipe:
    """A recipe to start from: drop identifiers, coarsen what is fine, suppress what is left.

    Without roles those an inspection suggests are taken; without k, the acceptable one for the
    table's size.
    """
    frame = to_polars(data)
    looked = inspect(frame) if inspection is None else inspection
    roles = looked.roles if roles is None else roles
    k = acceptable_k(frame.height) if k is None else k
    steps: list[Method] = [Drop(columns=roles.identifiers)] if roles.identifiers else []
    for column in roles.quasi_identifiers:
        coarser = _coarsen(frame[column], looked[column], k)
        if coarser is not None:
            steps.append(coarser)
    if roles.quasi_identifiers:
        steps.append(SuppressRecords(k=k))
    require = [KAnonymity(k=k)] if roles.quasi_identifiers else []
    return Recipe(roles=roles, steps=tuple(steps), require=tuple(require))


def _coarsen(values: pl.Series, profile: ColumnProfile, k: int) -> Method | None:
    """The step that makes one quasi-identifier coarser; none where it is coarse already."""
    name = values.name
    if profile.n_distinct <= MANY_VALUES:
        return None
    if values.dtype in (pl.Date, pl.Datetime):
        return Generalize(
            column=name, hierarchy=Dates(levels=("day", "month", "year")), level="year"
        )
    if values.dtype.is_numeric():
        width = _round_width(values)
        return Generalize(column=name, hierarchy=Intervals(width=width), level=1)
    if profile.kind == "postcode" and values.dtype == pl.String:
        return Generalize(column=name, hierarchy=Digits(), level=2)
    if values.dtype.base_type() in (pl.String, pl.Categorical, pl.Enum):
        return GroupRare(columns=(name,), min_count=max(k, len(values) // 100))
    return None


def _round_width(values: pl.Series) -> float:
    """A width of 1, 2 or 5 times a power of ten that cuts the middle 98 % into about ten parts."""
    numbers = values.cast(pl.Float64)
    low, high = numbers.quantile(0.01), numbers.quantile(0.99)
    raw = max(((high or 0.0) - (low or 0.0)) / N_INTERVALS, 1e-9)
    power = 10.0 ** math.floor(math.log10(raw))
    width = next(step * power for step in (1, 2, 5, 10) if step * power >= raw * (1 - 1e-9))
    return max(width, 1.0) if values.dtype.is_integer() else width
