"""What an intruder may ignore: an attack is as strong as by the worst set of known columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from microveil.scores import Score
from microveil.statistics.intervals import Interval, normal_quantile

Names = tuple[str, ...]
Attack = Callable[[Names], Score | None]
"""Carries an attack out by some columns; None if these are not enough for it."""

MOST_CELLS = 400_000_000
"""Comparisons of cells, about a fifth of a second, that leaving columns out may take."""


@dataclass
class _Search:
    """The sets of columns tried so far."""

    attack: Attack
    n_pairs: int
    """Pairs of records that one attack compares."""
    scores: dict[Names, Score | None] = field(default_factory=dict)
    spent: int = 0

    def value(self, names: Names) -> float:
        """The score by a set of columns, tried once."""
        if names not in self.scores:
            self.scores[names] = self.attack(names)
        score = self.scores[names]
        return -1.0 if score is None else score.value

    def affords(self, sets: Sequence[Names]) -> bool:
        """Whether all of these sets can be tried; if so, that is what is spent."""
        cells = self.n_pairs * sum(len(one) for one in sets)
        if self.spent + cells > MOST_CELLS:
            return False
        self.spent += cells
        return True


def worst_by_columns(
    names: Sequence[str],
    labelled: Iterable[str],
    n_pairs: int,
    attack: Attack,
    confidence: float,
) -> Score:
    """The highest score of an attack by any of the sets of columns that can be tried.

    These are: all; those that the release shows as they are; each alone; and either of the first
    two but one, from the worst of which columns are left out further, as long as that does not
    lower the score. The first two are always tried, the others only where comparing so many pairs
    of records takes little time. ``parts["by_all_columns"]`` has the score by all columns.
    """
    every, coarse = tuple(names), set(labelled)
    search = _Search(attack, n_pairs)
    plain = tuple(name for name in every if name not in coarse)
    starts = [every, plain] if plain and plain != every else [every]
    for current in sorted(starts, key=search.value, reverse=True):
        if not _leave_out(search, current):
            return _worst(search, every, confidence)
    alone = [(name,) for name in every]
    if search.affords(alone):
        max(alone, key=search.value)
    return _worst(search, every, confidence)


def _leave_out(search: _Search, current: Names) -> bool:
    """Leave columns out as long as that does not lower the score; False where it takes too long."""
    while len(current) > 1:
        fewer = [tuple(name for name in current if name != one) for one in current]
        if not search.affords([one for one in fewer if one not in search.scores]):
            return False
        best = max(fewer, key=search.value)
        if search.value(best) < search.value(current):
            break
        current = best
    return True


def _worst(search: _Search, every: Names, confidence: float) -> Score:
    """The highest score, with an interval for the highest of so many.

    Of many sets one is the highest by chance, so its interval is as much wider as the quantiles of
    Bonferroni's correction are farther apart.
    """
    first = search.scores[every]
    if first is None:
        raise TypeError("An attack is always possible by all of its columns.")
    found = [first, *(one for one in search.scores.values() if one is not None)]
    worst = max(found, key=lambda one: one.value)
    parts = {**worst.parts, "by_all_columns": first.value}
    if worst is first or worst.interval is None:
        return replace(worst, parts=parts)
    interval = wider(worst.interval, worst.value, len(found) - 1, confidence)
    return replace(worst, interval=interval, parts=parts | {"interval": list(interval)})


def wider(interval: Interval, value: float, n_tried: int, confidence: float) -> Interval:
    """The interval of the highest of so many values, within 0 and 1.

    >>> [round(end, 3) for end in wider((0.1, 0.3), 0.2, 10, 0.95)]
    [0.057, 0.343]
    """
    factor = normal_quantile(1 - (1 - confidence) / n_tried) / normal_quantile(confidence)
    low, high = (value + factor * (end - value) for end in interval)
    return max(low, 0.0), min(high, 1.0)
