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
        elif roles.household is not None and _is_shared(frame, name, roles.household):
            yield from _blur_numbering(frame, name, roles.household, k)
    if roles.weight is not None and roles.household is not None:
        yield from _blur_numbering(frame, roles.weight, roles.household, k, weight=True)


def _is_shared(frame: pl.DataFrame, name: str, household: str) -> bool:
    """Whether the members of nearly every household have one value."""
    counted = frame.filter(pl.col(household).is_not_null()).group_by(household)
    homes = counted.agg(n=pl.len(), values=pl.col(name).drop_nulls().n_unique())
    several = homes.filter(pl.col("n") > 1)
    return several.height > 0 and float((several["values"] <= 1).sum()) >= SHARED * several.height


def _blur_numbering(
    frame: pl.DataFrame, name: str, household: str, k: int, *, weight: bool = False
) -> Iterator[tuple[Method, str]]:
    """Numbers that differ from household to household number them as an id does."""
    homes = frame.group_by(household).agg(pl.col(name).drop_nulls().first())[name].drop_nulls()
    if len(homes) < FEWEST_RECORDS or not homes.dtype.is_numeric():
        return
    if homes.n_unique() < NUMBERING * len(homes):
        return
    base = rounding_base(homes, k)
    step: Method = (
        Microaggregate(columns=(name,), k=k, by_strata=False)
        if base is None
        else Round(columns=(name,), base=base)
    )
    yield step, _numbering_reason(name, k, weight=weight)


def _numbering_reason(name: str, k: int, *, weight: bool) -> str:
    if weight:
        return Message(
            "suggest.weights",
            "Weights in '{name}' differ from household to household, so that they number the "
            "households as an id does: they are made alike for {k} households or more.",
            name=name,
            k=k,
        )
    return Message(
        "suggest.household_numbers",
        "Numbers in '{name}' are those of households and differ from one to the next, so that they "
        "show who lives together as an id does: they are made alike for {k} households or more.",
        name=name,
        k=k,
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
