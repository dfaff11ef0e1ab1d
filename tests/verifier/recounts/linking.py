"""Links between originals and released records, by looking at every pair of them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tests.verifier.recounts.cases import STAR, Case, Meaning, covered

TINY = 1e-9
"""What standing for all values costs beside standing for one, where labels overlap."""
CLOSE = 1e-12
"""Distances that differ by less are equal."""
Pair = tuple[Any, dict[str, Any], dict[str, Meaning]]


def pairs_of(case: Case, columns: Sequence[str]) -> list[Pair]:
    """Owner, original and released cells of each row; a person's equal rows once."""
    found: list[Pair] = []
    for row, after in zip(case.origin, case.after, strict=True):
        owner = row if case.people is None else case.people[row]
        pair = (
            owner,
            {name: case.before[row][name] for name in columns},
            {name: after[name] for name in columns},
        )
        if case.people is None or pair not in found:
            found.append(pair)
    return found


def costs(case: Case, pairs: Sequence[Pair], name: str, *, squared: bool, unit: str = "sd") -> Any:
    """What a column adds to the distance of each original from each released record."""
    before = [pair[1][name] for pair in pairs]
    after = [pair[2][name] for pair in pairs]
    n = len(pairs)
    shown = [one for one in after if one is not None]
    labelled = any(isinstance(one, frozenset) or one == STAR for one in shown)
    if len(set(before)) < 2 or len(set(after)) < 2:
        return np.zeros((n, n))
    if isinstance(next(one for one in before if one is not None), str):
        far, missing = _categories(case, name, before, after)
    elif labelled:
        far, missing = _labels(case, name, before, after, squared=squared, unit=unit)
    else:
        far, missing = _numbers(after, squared=squared, unit=unit)
    found = np.zeros((n, n))
    for i, x in enumerate(before):
        for j, y in enumerate(after):
            if x is None or y is None:
                found[i, j] = 0.0 if x is y else missing
            else:
                found[i, j] = far(x, y)
    return found


Far = Callable[[Any, Any], float]


def _spread(values: Any, unit: str) -> float:
    return float(np.ptp(values) if unit == "range" else values.std(ddof=1))


def _numbers(after: Sequence[Any], *, squared: bool, unit: str) -> tuple[Far, float]:
    """Differences in standard deviations (ranges) of the release; missing as two random records."""
    shown = np.array([one for one in after if one is not None], dtype=float)
    spread = _spread(shown, unit)
    if squared:
        return lambda x, y: ((x - y) / spread) ** 2, 2 * (shown / spread).var()
    apart = np.abs(shown[:, None] - shown[None, :]).mean() / spread
    return lambda x, y: abs(x - y) / spread, apart


def _labels(
    case: Case, name: str, before: Sequence[Any], after: Sequence[Any], *, squared: bool, unit: str
) -> tuple[Far, float]:
    """Numbers from the nearest value of a label, in units of the original's spread."""
    values = case.values(name)
    there = np.array([one for one in before if one is not None], dtype=float)
    spread = _spread(there, unit)
    margin = _margin(case, name, after)

    def far(x: Any, y: Any) -> float:
        meant = covered(y, values)
        if x in meant:
            return margin * len(meant) / len(values)
        gap = min(abs(x - one) for one in meant) / spread
        return float(max(gap**2 if squared else gap, 2 * margin))

    return far, 2.0 if squared else np.abs(there[:, None] - there[None, :]).mean() / spread


def _categories(
    case: Case, name: str, before: Sequence[Any], after: Sequence[Any]
) -> tuple[Far, float]:
    """Whether a label stands for a category; missing as an original and a label at random."""
    values = case.values(name)
    margin = _margin(case, name, after)
    shown = [one for one in after if one is not None]

    def far(x: Any, y: Any) -> float:
        meant = covered(y, values)
        return margin * len(meant) / len(values) if x in meant else 1.0

    if margin:
        known = [one for one in before if one is not None]
        return far, sum(far(x, y) for x in known for y in shown) / len(known) / len(shown)
    shares = [count / len(shown) for count in Counter(shown).values()]
    return far, 1 - sum(share**2 for share in shares)


def _margin(case: Case, name: str, after: Sequence[Any]) -> float:
    """The margin by which fewer values are nearer, if a value has several labels."""
    values = case.values(name)
    labels = {one for one in after if one is not None}
    often = Counter(value for one in labels for value in covered(one, values))
    return TINY if any(count > 1 for count in often.values()) else 0.0


def linked(pairs: Sequence[Pair], distances: Any) -> float:
    """Share of people whose nearest record is theirs, ties shared among people."""
    best: dict[Any, float] = {}
    for i, (owner, _, _) in enumerate(pairs):
        least = distances[i].min()
        near = [j for j in range(len(pairs)) if distances[i, j] <= least * (1 + CLOSE) + 1e-15]
        # A released row that a person has twice is one candidate.
        if len({pair[0] for pair in pairs}) < len(pairs):
            held = {(pairs[j][0], tuple(pairs[j][2].items())) for j in near}
            right = sum(one[0] == owner for one in held) / len(held)
        else:
            right = sum(pairs[j][0] == owner for j in near) / len(near)
        best[owner] = max(best.get(owner, 0.0), right)
    return sum(best.values()) / len(best)


def record_linkage(
    case: Case, columns: Sequence[str], *, squared: bool = True, unit: str = "sd"
) -> float:
    """The share of people linked by the sum of the columns' costs."""
    pairs = pairs_of(case, columns)
    total = sum(costs(case, pairs, name, squared=squared, unit=unit) for name in columns)
    return linked(pairs, total)


def by_points(case: Case, columns: Sequence[str], change: Callable[[Any, Any], Any]) -> float:
    """Share of people linked by Euclid's distance of changed numbers; incomplete rows are not."""
    pairs = pairs_of(case, columns)
    numbers = [
        np.array(
            [
                [math.nan if pair[side][c] is None else float(pair[side][c]) for c in columns]
                for pair in pairs
            ]
        )
        for side in (1, 2)
    ]
    whole = ~(np.isnan(numbers[0]) | np.isnan(numbers[1])).any(axis=1)
    before, after = change(numbers[0][whole], numbers[1][whole])
    kept = [pair for pair, there in zip(pairs, whole, strict=True) if there]
    far = ((before[:, None, :] - after[None, :, :]) ** 2).sum(axis=2)
    far[far < 1e-18] = 0.0
    share = linked(kept, far)
    n_people = len({pair[0] for pair in pairs})
    return share * len({pair[0] for pair in kept}) / n_people


def mahalanobis(before: Any, after: Any) -> tuple[Any, Any]:
    """Numbers turned so that the release has variance one in every direction."""
    root = np.linalg.cholesky(np.linalg.inv(np.cov(after.T)))
    return before @ root, after @ root


def likeliest(before: Any, after: Any) -> tuple[Any, Any]:
    """Fuller's intruder: E[y|x] without the record itself, and what the masking added."""
    x, y = before - before.mean(axis=0), after - after.mean(axis=0)
    expected = np.empty_like(y)
    for i in range(len(x)):
        others = np.arange(len(x)) != i
        expected[i] = x[i] @ np.linalg.lstsq(x[others], y[others], rcond=None)[0]
    added = y - expected
    root = np.linalg.cholesky(np.linalg.inv(added.T @ added / len(y)))
    return expected @ root, y @ root


def filtered(method: str) -> Callable[[Any, Any], tuple[Any, Any]]:
    """The release without the noise that its covariance tells."""

    def change(before: Any, after: Any) -> tuple[Any, Any]:
        middle, unit = after.mean(axis=0), after.std(axis=0)
        x, y = (before - middle) / unit, (after - middle) / unit
        whole, noise = np.cov(y.T, bias=True), np.cov((y - x).T, bias=True)
        if method == "bayes":
            powers, axes = np.linalg.eigh(whole - noise)
            signal = axes @ np.diag(np.maximum(powers, 0)) @ axes.T
            return x, y @ np.linalg.inv(whole) @ signal
        powers, axes = np.linalg.eigh(whole if method == "spectral" else whole - noise)
        n, m = y.shape
        limits = [
            np.trace(noise) / m * (1 + math.sqrt(m / n)) ** 2
            if method == "spectral"
            else axis @ noise @ axis
            for axis in axes.T
        ]
        kept = axes[:, powers > np.array(limits)]
        return x, y @ kept @ kept.T

    return change


def intersection(case: Case, columns: Sequence[str]) -> float:
    """Chance to pick the right one of the records that every column leaves possible."""
    pairs = pairs_of(case, columns)
    n = len(pairs)
    fits = np.ones((n, n), dtype=bool)
    for name in columns:
        ranked = sorted(pair[2][name] for pair in pairs if pair[2][name] is not None)

        def ranks(value: Any, ranked: Sequence[Any] = ranked) -> tuple[int, int]:
            below = sum(one < value for one in ranked)
            upto = sum(one <= value for one in ranked) - 1
            return min(below, upto), max(below, upto)

        moves = []
        for _, before, after in pairs:
            if before[name] is not None and after[name] is not None:
                (a, b), (c, d) = ranks(before[name]), ranks(after[name])
                moves.append(max(c - b, a - d, 0))
        reach = max(moves)
        for i, (_, before, _) in enumerate(pairs):
            if before[name] is None:
                continue
            first, last = ranks(before[name])
            low = ranked[min(max(first - reach, 0), len(ranked) - 1)]
            high = ranked[min(max(last + reach, 0), len(ranked) - 1)]
            for j, (_, _, after) in enumerate(pairs):
                if after[name] is not None and not low <= after[name] <= high:
                    fits[i, j] = False
    return linked(pairs, np.where(fits, 0.0, 1.0))
