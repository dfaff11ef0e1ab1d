"""What the values of a column may have become: its labels, followed through the steps of a recipe.

A step that gives equal values equal labels says so (:class:`Recoder`): by one column of labels if
the step alone decides, by several if it chose a level that only the release shows. Steps that
follow see the labels of those before, so that nested labels (an interval of rounded numbers, a
group of months) lead back to the original values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import polars as pl

from microveil.arrays import Longs
from microveil.errors import MicroveilError
from microveil.hierarchies.base import HierarchyBuilder
from microveil.hierarchies.hierarchy import STAR, Hierarchy
from microveil.tables.values import Distinct, as_text

MOST_LEVELS = 64
"""Ways in which a column may have been recoded that are followed further."""


@dataclass(frozen=True, eq=False)
class Recoding:
    """What a step may make of some values."""

    levels: tuple[pl.Series, ...]
    """The label of each value, for each level that the step may have chosen, finest first."""
    tree: tuple[pl.Series, ...] = ()
    """The label of each value at each level of its hierarchy, finest first: how near values are."""


class Recoder(Protocol):
    """A step, or a hierarchy, that gives equal values equal labels."""

    def recodes(self, name: str, values: pl.Series, counts: Longs) -> Recoding | None:
        """What it makes of a column's distinct values; None if it leaves them as they are.

        ``counts`` are the records that have each value.
        """


@dataclass(frozen=True)
class ByHierarchy:
    """A hierarchy of which any level may have been published."""

    builder: HierarchyBuilder

    def recodes(self, name: str, values: pl.Series, counts: Longs) -> Recoding | None:
        """All levels of the hierarchy of these values."""
        return at_any_level(self.builder, values.alias(name), counts)


def at_any_level(
    builder: HierarchyBuilder, values: pl.Series, counts: Longs, *, tree: bool = True
) -> Recoding:
    """The labels of distinct values at every level of a hierarchy; unlisted ones are ``*`` above.

    >>> from microveil.hierarchies import Digits
    >>> both = at_any_level(Digits(), pl.Series(["12", "13"]), np.array([1, 1]))
    >>> [one.to_list() for one in both.levels]
    [['12', '13'], ['1*', '1*'], ['*', '*']]
    """
    hierarchy = built_for(builder, values, counts)
    match = hierarchy.match(values)
    above = [hierarchy.labels_of(match, level) for level in range(1, hierarchy.n_levels)]
    levels = (values, *(_in_order(one, match.distinct, values) for one in above))
    return Recoding(levels, tuple(as_text(one) for one in levels) if tree else ())


def _in_order(labels: pl.Series, distinct: Distinct, values: pl.Series) -> pl.Series:
    return labels.gather(pl.Series(distinct.of_record)).alias(values.name)


def built_for(builder: HierarchyBuilder, values: pl.Series, counts: Longs) -> Hierarchy:
    """The hierarchy of distinct values that so many records have."""
    of_record = np.repeat(np.arange(len(values), dtype=np.uint32), counts)
    return builder.build_for(Distinct(values.name, values, of_record, 0))


@dataclass(frozen=True, eq=False)
class Followed:
    """A column's values and what they may have become in the end."""

    levels: tuple[pl.Series, ...] = ()
    """Labels as text, one column for each way of recoding; none if nothing recoded the column."""
    tree: tuple[pl.Series, ...] = ()
    """Labels of the first hierarchy on the way, by level."""


def follow(recoders: Sequence[Recoder], name: str, values: pl.Series, counts: Longs) -> Followed:
    """Follow distinct values through the steps; one that does not fit its column is passed over."""
    ways: list[pl.Series] = [values]
    tree: tuple[pl.Series, ...] = ()
    for recoder in recoders:
        after: list[pl.Series] = []
        for way in ways:
            found = _recode(recoder, name, way, counts)
            after += [way] if found is None else found.levels
            tree = tree or (() if found is None or way is not values else found.tree)
        ways = _each_once(after)[:MOST_LEVELS]
    if len(ways) == 1 and ways[0] is values:
        return Followed((), tree)
    return Followed(tuple(as_text(one) for one in ways), tree)


def _recode(recoder: Recoder, name: str, way: pl.Series, counts: Longs) -> Recoding | None:
    """What a step makes of labels, several of which may be equal."""
    distinct = Distinct.of(way)
    if not len(distinct.values):
        return None
    each = np.bincount(distinct.of_record, weights=counts, minlength=len(distinct.values) + 1)
    try:
        found = recoder.recodes(name, distinct.values, each[:-1].astype(np.int64))
    except (MicroveilError, pl.exceptions.PolarsError):
        return None
    if found is None:
        return None
    return Recoding(
        tuple(distinct.spread(one) for one in found.levels),
        tuple(distinct.spread(one) for one in found.tree),
    )


def _each_once(ways: list[pl.Series]) -> list[pl.Series]:
    """Ways that differ, in their order."""
    found: list[pl.Series] = []
    texts: list[pl.Series] = []
    for way in ways:
        text = as_text(way)
        if not any(text.equals(other, check_names=False) for other in texts):
            found.append(way)
            texts.append(text)
    return found


def says_nothing(labels: pl.Series) -> bool:
    """Whether a way of recoding leaves no information at all."""
    return bool((labels == STAR).all())
