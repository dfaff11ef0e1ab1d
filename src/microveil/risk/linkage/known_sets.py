"""The worst over what an intruder may use: a known column can always be ignored.

A column that says something wrong (it was permuted, or drawn anew) makes nearest-record linkage
worse than it would be without. An intruder may leave it out, so what counts is the best choice of
columns that can be found: all, each alone, each left out, then further ones as long as that helps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from microveil.arrays import Floats, Longs
from microveil.risk.linkage.linking import worth

Names = tuple[str, ...]

EXACT_PAIRS = 150_000_000
"""Pairs of records compared while looking for the worst columns; beyond it, on a sample."""
FEWEST = 100
"""Originals in such a sample, at least."""
CLEARLY = 2.0
"""Standard errors by which some columns must do better on the sample to be tried on all."""
SCREENS = (250, 2000)
"""Rows on which columns that do clearly worse are set aside, one after the other."""
SCREENED_PAIRS = 2_000_000
"""Pairs of records up to which all columns are tried on all rows."""
UNLIKELY = 3.0
"""Standard errors by which columns must do worse on a screen to be set aside."""
MOST_TRIED = 3
"""Sets of columns that are tried on all rows at a time, of those that were screened."""


Linker = Callable[[Names, Longs | None], Floats]
"""Probability of a right link for each row by some columns; of some rows, if not of all."""


class Strongest(NamedTuple):
    """The columns by which most people are found, and the probability for each row."""

    columns: Names
    found: Floats


def strongest(
    columns: Sequence[str],
    found: Floats,
    link: Linker,
    *,
    ceiling: Callable[[Names], float],
    n_pairs: float,
    order: Callable[[], Longs],
    people: Longs | None = None,
) -> Strongest:
    """Look for columns by which more is found than by all of them together.

    ``found`` is what all columns find, ``ceiling`` the most that some columns could, ``n_pairs``
    the pairs of records that a link compares, ``order`` an order of the rows by what they contain,
    from which a sample is drawn where all would take too long.
    """
    best = Strongest(tuple(columns), found)
    if len(columns) < 2 or not len(found) or _is_reached(best, ceiling(best.columns), people):  # noqa: PLR2004  one column cannot be left out
        return best
    n_pairs *= 2 * len(columns)
    order = cache(order)
    search = _Search(
        link,
        ceiling,
        sample_rows(len(found), n_pairs, EXACT_PAIRS, order),
        _screens(len(found), order) if n_pairs > SCREENED_PAIRS else [],
        people,
    )
    options = [*_without_each(best.columns), *((name,) for name in columns)]
    while options:
        better = search.best_of(options, best)
        if better is None:
            break
        best = better
        options = _without_each(best.columns) if len(best.columns) > 1 else []
    return best


class _Search(NamedTuple):
    """How sets of columns are tried."""

    link: Linker
    ceiling: Callable[[Names], float]
    sample: Longs | None
    screens: list[Longs]
    people: Longs | None

    def best_of(self, options: list[Names], best: Strongest) -> Strongest | None:
        """The option that finds most, if more than the best so far."""
        least = worth(best.found, self.people)
        able = [
            one for one in dict.fromkeys(options) if one and self.ceiling(one) > least * (1 + 1e-9)
        ]
        able = self._screen(able, best)
        if self.sample is not None:
            rows = self.sample
            gains = {one: _gain(self.link(one, rows)[rows], best.found[rows]) for one in able}
            able = sorted((one for one in able if gains[one] > 0), key=gains.__getitem__)[-1:]
        found = None
        for one in able:
            tried = Strongest(one, self.link(one, None))
            value = worth(tried.found, self.people)
            if value > least * (1 + 1e-9):
                found, least = tried, value
        return found

    def _screen(self, options: list[Names], best: Strongest) -> list[Names]:
        """The options that may find more, the most promising ones if they are many."""
        for rows in self.screens:
            more = {one: self.link(one, rows)[rows] - best.found[rows] for one in options}
            options = [one for one in options if not _clearly_worse(more[one])]
            options = sorted(options, key=lambda one: -float(more[one].mean()))
        return options[:MOST_TRIED] if self.screens else options


def _screens(n_records: int, order: Callable[[], Longs]) -> list[Longs]:
    """Rows to try columns on, drawn from an order by what rows contain; fewer than a quarter."""
    sizes = [size for size in SCREENS if 4 * size <= n_records]
    if not sizes:
        return []
    rows = order()[np.random.default_rng(0).permutation(n_records)[: sizes[-1]]]
    return [np.sort(rows[:size]) for size in sizes]


def _clearly_worse(more: Floats) -> bool:
    # With hardly any difference the error is not known: then one row may yet differ.
    error = max(float(more.std() / np.sqrt(len(more))), 1 / len(more))
    return float(more.mean()) + UNLIKELY * error < 0


def _gain(tried: Floats, known: Floats) -> float:
    """How much better some columns do on a sample, beyond chance."""
    more = tried - known
    error = float(more.std() / np.sqrt(len(more)))
    return float(more.mean()) - CLEARLY * error


def _is_reached(best: Strongest, most: float, people: Longs | None) -> bool:
    return worth(best.found, people) >= most * (1 - 1e-9)


def _without_each(columns: Names) -> list[Names]:
    return [columns[:place] + columns[place + 1 :] for place in range(len(columns))]


def sample_rows(
    n_records: int, n_pairs: float, most: float, order: Callable[[], Longs], fewest: int = FEWEST
) -> Longs | None:
    """Some rows, the same whatever their order, so that few pairs are compared; None for all."""
    if n_pairs <= most:
        return None
    n_tried = max(int(n_records * most / n_pairs), fewest)
    if n_tried >= n_records:
        return None
    places = np.random.default_rng(0).choice(n_records, n_tried, replace=False)
    return np.sort(order()[np.sort(places)])
