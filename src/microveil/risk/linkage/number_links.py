"""Linking complete records of numbers after some change of both tables, by the worst columns."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from microveil.arrays import Floats, Longs
from microveil.pairs.known_columns import Pair
from microveil.pairs.numbers import PairedNumbers
from microveil.risk.linkage.compared import RecordComparison, number_comparison
from microveil.risk.linkage.known_sets import Names, Strongest, strongest
from microveil.risk.linkage.linking import (
    ColumnCodes,
    by_person,
    each_once,
    grouped_people,
    nearest_credits,
)

LOOKED_AT = 400
"""Records that a search in a tree examines for each original, or more."""

Change = Callable[[Floats, Floats], tuple[Floats, Floats]]
"""What makes queries and candidates of the numbers before and after."""


class NumberLinks(NamedTuple):
    """Links by the columns by which most is found."""

    columns: Names
    found: Floats
    """Probability of a right link, for each row of the release; 0 for incomplete records."""
    value: float
    """Its mean over the rows or, with people, over the largest of each person."""


def worst_links(
    pair: Pair, numbers: PairedNumbers, change: Change, *, worst: bool = True
) -> NumberLinks:
    """Link by all columns and, for the ``worst``, by each alone and without some.

    Only records that are complete in these columns are linked.
    """
    owners, people = pair.owners, pair.people

    def compare(columns: Names) -> tuple[RecordComparison, NDArray[np.bool_]]:
        places = [numbers.columns.index(name) for name in columns]
        some = PairedNumbers(columns, numbers.before[:, places], numbers.after[:, places])
        keep = some.present
        return number_comparison(*change(some.before[keep], some.after[keep])), keep

    def link(columns: Names, some: Longs | None) -> Floats:
        comparison, keep = compare(columns)
        groups = grouped_people(comparison.records, None if people is None else people[keep])
        place = np.cumsum(keep) - 1
        tried = None if some is None else place[some[keep[some]]]
        found = np.zeros(len(keep))
        found[keep] = nearest_credits(comparison, owners[keep], tried, groups)
        return found

    codes = ColumnCodes(numbers.after) if worst and each_once(owners) else None

    def ceiling(columns: Names) -> float:
        if codes is None:
            return 1.0
        places = [numbers.columns.index(name) for name in columns]
        return codes.n_distinct(places) / max(len(owners), 1)

    every = link(numbers.columns, None)
    best = Strongest(numbers.columns, every)
    if worst:
        best = strongest(
            numbers.columns,
            every,
            link,
            ceiling=ceiling,
            n_pairs=float(len(every)) * min(len(every), LOOKED_AT),
            order=lambda: number_comparison(numbers.before, numbers.after).order(),
            people=people,
        )
    each = best.found if people is None else by_person(best.found, people)
    value = float(each.mean()) if len(each) else 0.0
    return NumberLinks(best.columns, best.found, value)
