"""Exact values: measures that are unique in nearly every record lead back to it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import polars as pl

from microveil.app.inspection.limits import FEWEST_RECORDS, NEARLY_UNIQUE
from microveil.methods import Method, Microaggregate, Round
from microveil.texts import Message

if TYPE_CHECKING:
    from microveil.app.inspection import Inspection
    from microveil.tables import Roles

SHARED = 0.95
"""Share of the records that must have the value of k records after rounding."""
NUMBERING = 0.5
"""Distinct weights for each household, from which they tell households apart."""
COARSEST = 0.25
"""Share of the distance between the quartiles that a base may be; beyond, groups are averaged."""


def blur_exact_values(
    frame: pl.DataFrame, looked: Inspection, roles: Roles, k: int
) -> Iterator[tuple[Method, str]]:
    """A step for each released measure whose exact values single out records, and why."""
    for name in (*roles.sensitive, *roles.insensitive):
        if _is_exact(frame[name], looked):
            base = rounding_base(frame[name], k)
            step: Method = (
                Microaggregate(columns=(name,), k=k, by_strata=not roles.strata)
                if base is None
                else Round(columns=(name,), base=base)
            )
            yield step, _reason(name, base, k)
    if roles.weight is not None and roles.household is not None:
        yield from _round_weights(frame, roles.weight, roles.household, k)


def _round_weights(
    frame: pl.DataFrame, weight: str, household: str, k: int
) -> Iterator[tuple[Method, str]]:
    """Weights that differ from household to household number them as an id does."""
    by_household = frame.group_by(household).agg(pl.col(weight).first())[weight].drop_nulls()
    if len(by_household) < FEWEST_RECORDS or not by_household.dtype.is_numeric():
        return
    if by_household.n_unique() < NUMBERING * len(by_household):
        return
    base = rounding_base(by_household, k)
    step: Method = (
        Microaggregate(columns=(weight,), k=k, by_strata=False)
        if base is None
        else Round(columns=(weight,), base=base)
    )
    yield (
        step,
        Message(
            "suggest.weights",
            "Weights in '{name}' differ from household to household, so that they number the "
            "households as an id does: they are made alike for {k} households or more.",
            name=weight,
            k=k,
        ),
    )


def _is_exact(values: pl.Series, looked: Inspection) -> bool:
    if not values.dtype.is_numeric() or len(values) < FEWEST_RECORDS:
        return False
    profile = looked[values.name]
    filled = profile.n_distinct / max(len(values) - profile.n_missing, 1)
    return filled >= NEARLY_UNIQUE or profile.uniqueness >= NEARLY_UNIQUE / 2


def rounding_base(values: pl.Series, k: int) -> float | None:
    """The smallest round base at which nearly all records share their value with k − 1 others.

    >>> rounding_base(pl.Series([x / 7 for x in range(1000)]), 5)
    1.0
    >>> rounding_base(pl.Series([3.0**x for x in range(30)]), 5) is None
    True
    """
    numbers = values.cast(pl.Float64).drop_nulls()
    numbers = numbers.filter(numbers.is_finite())
    spread = (numbers.quantile(0.75) or 0.0) - (numbers.quantile(0.25) or 0.0)
    if spread <= 0:
        return None
    power = 10.0 ** math.floor(math.log10(spread / len(numbers)))
    while power <= COARSEST * spread:
        for step in (1, 2, 5):
            base = float(f"{step * power:.12g}")
            counts = (numbers / base).round(0).unique_counts()
            whole = base >= 1 or not values.dtype.is_integer()
            if whole and counts.filter(counts >= k).sum() >= SHARED * len(numbers):
                return base if base <= COARSEST * spread else None
        power *= 10
    return None


def _reason(name: str, base: float | None, k: int) -> str:
    if base is None:
        return Message(
            "suggest.averaged",
            "Column '{name}' is nearly unique, so that whoever knows an exact value finds the "
            "record: groups of {k} neighbours are averaged.",
            name=name,
            k=k,
        )
    return Message(
        "suggest.rounded",
        "Column '{name}' is nearly unique, so that whoever knows an exact value finds the record: "
        "it is rounded to {base:g}.",
        name=name,
        base=base,
    )
