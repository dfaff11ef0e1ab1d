"""How good predictions are, and what each record contributes to the error of that number."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.arrays import Floats

Interval = tuple[float, float]

NORMAL_95 = 1.959963984540054


class Quality(NamedTuple):
    """A quality of predictions, and the influence of each record on it.

    The mean of the squared influences, over the number of records, is the variance of the quality;
    the difference of two models on the same records has that of the difference of the influences.
    """

    value: float
    influence: Floats


def fall(before: Quality, after: Quality) -> tuple[float, Interval]:
    """How much lower the second quality is (0 if it is not), with a 95 % interval.

    >>> once = Quality(0.8, np.array([0.2, -0.2]))
    >>> fall(once, once)
    (0.0, (0.0, 0.0))
    """
    down = before.value - after.value
    moves = before.influence - after.influence
    reach = NORMAL_95 * float(np.sqrt((moves**2).sum())) / max(len(moves), 1)
    return max(down, 0.0), (max(down - reach, 0.0), max(down + reach, 0.0))


def accuracy(truth: NDArray[Any], guess: NDArray[Any]) -> Quality:
    """Share of correct guesses."""
    right = (truth == guess).astype(np.float64)
    share = float(right.mean())
    return Quality(share, right - share)


def separation(truth: NDArray[Any], kinds: NDArray[Any], chances: Floats) -> Quality:
    """Area under the curve of each class against the others, weighted by the class's share.

    ``chances`` has a column for each of ``kinds``; a class without one has no chance at all. The
    influence is that of DeLong, DeLong & Clarke-Pearson (1988).
    """
    column = {kind: place for place, kind in enumerate(kinds.tolist())}
    total, influence, weight = 0.0, np.zeros(len(truth)), 0.0
    for kind in np.unique(truth):
        member = truth == kind
        share = float(member.mean())
        if share == 1:
            continue
        place = column.get(kind)
        scores = np.zeros(len(truth)) if place is None else chances[:, place]
        found = _area(scores, member)
        total += share * found.value
        influence += share * found.influence
        weight += share
    if weight == 0:
        return Quality(0.5, influence)
    return Quality(total / weight, influence / weight)


def _area(scores: Floats, member: NDArray[np.bool_]) -> Quality:
    """Probability that a member scores above another, ties counted half, with influences."""
    n_members, n_others = int(member.sum()), int((~member).sum())
    every = pl.Series(scores).rank("average").to_numpy()
    within = np.empty(len(scores))
    for group in (member, ~member):
        within[group] = pl.Series(scores[group]).rank("average").to_numpy()
    # A member's rank among the others, or another's among the members, is what is left.
    beaten = (every - within) / np.where(member, n_others, n_members)
    area = float(beaten[member].mean())
    placed = np.where(member, beaten - area, 1 - beaten - area)
    return Quality(area, placed / np.where(member, member.mean(), 1 - member.mean()))


def r_squared(y: Floats, guess: Floats) -> Quality:
    """Share of the variance that predictions explain; none if they are worse than the mean."""
    deviations = (y - y.mean()) ** 2
    variance = float(deviations.mean())
    errors = (y - guess) ** 2
    unexplained = float(errors.mean()) / variance if variance > 0 else 1.0
    if not unexplained < 1:
        return Quality(0.0, np.zeros(len(y)))
    return Quality(1 - unexplained, (unexplained * deviations - errors) / variance)


def class_qualities(truth: NDArray[Any], guess: NDArray[Any], side: str) -> dict[str, float]:
    """Precision, recall and F1, each the plain mean over the classes that occur or are guessed."""
    kinds = np.union1d(truth, guess)
    right = np.array([((truth == kind) & (guess == kind)).sum() for kind in kinds], dtype=float)
    guessed = np.array([(guess == kind).sum() for kind in kinds])
    there = np.array([(truth == kind).sum() for kind in kinds])
    precision = right / np.maximum(guessed, 1)
    recall = right / np.maximum(there, 1)
    both = precision + recall
    f1 = np.divide(2 * precision * recall, both, out=np.zeros(len(kinds)), where=both > 0)
    found = {"precision": precision, "recall": recall, "f1": f1}
    return {f"{name}_{side}": float(values.mean()) for name, values in found.items()}
