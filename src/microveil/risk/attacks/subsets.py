"""What an intruder may ignore: an attack is as strong as by the worst set of known columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from microveil.scores import Score
from microveil.statistics.intervals import Interval, normal_quantile

Names = tuple[str, ...]
Attack = Callable[[Names], Score | None]
"""Carries an attack out by some columns; None if these are not enough for it."""

MOST_CELLS = 400_000_000
"""Comparisons of cells, about a fifth of a second, that leaving columns out may take."""
MOST_PAIRS = 66
"""Sets of two columns up to which all are tried: those of twelve columns."""


@dataclass
class _Search:
    """The sets of columns tried so far."""

    found: Callable[[Names], float]
    n_pairs: int
    """Pairs of records that one attack compares."""
    values: dict[Names, float] = field(default_factory=dict)
    spent: int = 0

    def value(self, names: Names) -> float:
        """The strength of the attack by a set of columns, tried once."""
        if names not in self.values:
            self.values[names] = self.found(names)
        return self.values[names]

    def affords(self, sets: Sequence[Names]) -> bool:
        """Whether all of these sets can be tried; if so, that is what is spent."""
        cells = self.n_pairs * sum(len(one) for one in sets)
        if self.spent + cells > MOST_CELLS:
            return False
        self.spent += cells
        return True


def try_sets(
    names: Sequence[str],
    labelled: Iterable[str],
    n_pairs: int,
    found: Callable[[Names], float],
    *,
    inward: bool = False,
) -> dict[Names, float]:
    """How strong an attack is by each of the sets of columns that can be tried.

    These are: all; those that the release shows as they are; either of these but one, from the
    worst of which columns are left out further, as long as that does not weaken the attack; and
    each alone. With ``inward`` also each two, and the strongest of these with others, as long as
    that strengthens the attack: what is learnt on a sample needs more than one column left out at
    a time. All and those shown as they are are always tried, the others only where comparing so
    many pairs of records takes little time.
    """
    search = _Search(found, n_pairs)
    whole = all(
        _leave_out(search, current)
        for current in sorted(whole_sets(names, labelled), key=search.value, reverse=True)
    )
    few: list[Names] = []
    for size in (1, 2) if inward else (1,):
        some = list(combinations(names, size))
        if whole and (size == 1 or len(some) <= MOST_PAIRS) and search.affords(some):
            few += some
    if few:
        strongest = max(few, key=search.value)
        if inward:
            _take_in(search, tuple(names), strongest)
    return search.values


def whole_sets(names: Sequence[str], labelled: Iterable[str]) -> list[Names]:
    """All columns and, if these are others, those that the release shows as they are."""
    every, coarse = tuple(names), set(labelled)
    plain = tuple(name for name in every if name not in coarse)
    return [every, plain] if plain and plain != every else [every]


def worst_by_columns(
    names: Sequence[str],
    labelled: Iterable[str],
    n_pairs: int,
    attack: Attack,
    confidence: float,
) -> Score:
    """The highest score of an attack by any of the sets of columns that can be tried.

    ``parts["by_all_columns"]`` has the score by all columns.
    """
    scores: dict[Names, Score] = {}

    def value(columns: Names) -> float:
        score = attack(columns)
        if score is None:
            return -1.0
        scores[columns] = score
        return score.value

    try_sets(names, labelled, n_pairs, value)
    if tuple(names) not in scores:
        raise TypeError("An attack is always possible by all of its columns.")
    return _worst_score(scores[tuple(names)], list(scores.values()), confidence)


def _leave_out(search: _Search, current: Names) -> bool:
    """Leave columns out as long as that weakens no attack; False where it takes too long."""
    while len(current) > 1:
        fewer = [tuple(name for name in current if name != one) for one in current]
        if not search.affords([one for one in fewer if one not in search.values]):
            return False
        best = max(fewer, key=search.value)
        if search.value(best) < search.value(current):
            break
        current = best
    return True


def _take_in(search: _Search, every: Names, current: Names) -> None:
    """Take columns in as long as that strengthens the attack and takes little time.

    Where most columns say nothing, leaving out one of them changes little.
    """
    while len(current) < len(every) - 1:
        more = [
            tuple(one for one in every if one in current or one == name)
            for name in every
            if name not in current
        ]
        if not search.affords([one for one in more if one not in search.values]):
            return
        best = max(more, key=search.value)
        if search.value(best) <= search.value(current):
            return
        current = best


def _worst_score(first: Score, tried: Sequence[Score], confidence: float) -> Score:
    """The highest score, with an interval for the highest of so many; the first is by all columns.

    Of many sets one is the highest by chance, so its interval is as much wider as the quantiles of
    Bonferroni's correction are farther apart.
    """
    worst = max([first, *tried], key=lambda one: one.value)
    parts = {**worst.parts, "by_all_columns": first.value}
    if worst is first or worst.interval is None:
        return replace(worst, parts=parts)
    interval = wider(worst.interval, worst.value, len(tried), confidence)
    return replace(worst, interval=interval, parts=parts | {"interval": list(interval)})


def wider(interval: Interval, value: float, n_tried: int, confidence: float) -> Interval:
    """The interval of the highest of so many values, within 0 and 1.

    >>> [round(end, 3) for end in wider((0.1, 0.3), 0.2, 10, 0.95)]
    [0.057, 0.343]
    """
    factor = normal_quantile(1 - (1 - confidence) / n_tried) / normal_quantile(confidence)
    low, high = (value + factor * (end - value) for end in interval)
    return max(low, 0.0), min(high, 1.0)
