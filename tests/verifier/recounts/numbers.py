"""Measures of numbers, with NumPy's own statistics and nothing of the library."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from tests.verifier.recounts.cases import STAR, Case

NUMBERS = ("age", "pay", "rent")


def number(meaning: Any, ends: tuple[float, float] | None = None) -> float:
    """A cell as a number: an interval of five ages as its midpoint, NaN where nothing is known."""
    if meaning is None or meaning == STAR:
        return math.nan
    if isinstance(meaning, frozenset):
        low = min(meaning) - min(meaning) % 5
        return low + 2.0 if ends is None else math.nan
    return float(meaning)


def sides(case: Case, names: Sequence[str] = NUMBERS) -> tuple[Any, Any]:
    """Numbers of the released rows' originals, and of the released rows."""
    before = np.array([[number(row[name]) for name in names] for row, _ in case.pairs])
    after = np.array([[number(row[name]) for name in names] for _, row in case.pairs])
    return before, after


def eigenvalues(case: Case) -> float:
    """Relative changes of the eigenvalues of the correlation matrices, summed."""
    before, after = sides(case)
    whole = ~(np.isnan(before) | np.isnan(after)).any(axis=1)
    ours, theirs = (
        np.sort(np.linalg.eigvalsh(np.corrcoef(side[whole].T)))[::-1] for side in (before, after)
    )
    return float(np.sum(np.abs(ours - theirs) / ours))


def interval_disclosure(case: Case, k: float, around: str) -> tuple[float, float]:
    """Share of records whose every original lies near the released number, and of any column."""
    names = ("pay", "rent")
    before, after = sides(case, names)
    inside = np.zeros(before.shape, dtype=bool)
    for j in range(len(names)):
        if around == "sd":
            width = k * np.std(after[:, j], ddof=1)
            inside[:, j] = np.abs(before[:, j] - after[:, j]) <= width + 1e-9
        else:
            ranked = sorted(after[:, j])
            reach = math.floor(k * len(ranked) + 1e-9)
            for i, shown in enumerate(after[:, j]):
                below = sum(one < shown for one in ranked)
                upto = sum(one <= shown for one in ranked)
                low = ranked[max(below - reach, 0)]
                high = ranked[min(upto - 1 + reach, len(ranked) - 1)]
                inside[i, j] = low <= before[i, j] <= high
    return float(inside.all(axis=1).mean()), float(inside.mean(axis=0).max())


def value_disclosure(case: Case) -> float:
    """Highest share of an original column's variance explained by a regression on all released."""
    before, after = sides(case, ("pay", "rent"))
    design = np.column_stack([np.ones(len(after)), after])
    found = []
    for column in before.T:
        fit = design @ np.linalg.lstsq(design, column, rcond=None)[0]
        found.append(1 - ((column - fit) ** 2).sum() / ((column - column.mean()) ** 2).sum())
    return float(max(found))


def confidence_overlap(case: Case, *, weighted: bool) -> float:
    """1 minus the mean overlap of intervals of means, of means by illness, and of regressions."""
    names = ("pay", "rent")
    tables = []
    for rows in (case.before, case.after):
        numbers = {name: np.array([number(row[name]) for row in rows]) for name in names}
        ill = [row["ill"] for row in rows]
        w = np.array([row["w"] if weighted else 1.0 for row in rows])
        found = {("all", name): mean_interval(numbers[name], w) for name in names}
        for kind in sorted({row["ill"] for row in case.before}):
            here = np.array([one == kind for one in ill])
            found |= {(kind, name): mean_interval(numbers[name][here], w[here]) for name in names}
        found |= {
            ("slope", name): slope_interval(numbers[name], numbers[other], w, weighted=weighted)
            for name, other in (names, names[::-1])
        }
        tables.append(found)
    before, after = tables
    overlaps = [overlap(ends, after[what]) for what, ends in before.items() if ends is not None]
    return 1 - sum(overlaps) / len(overlaps)


Ends = tuple[float, float]


def mean_interval(x: Any, w: Any) -> Ends | None:
    """Student's interval of a mean; with weights by the linearised variance."""
    from scipy.stats import t

    n = len(x)
    if n < 3:
        return None
    mean = (w * x).sum() / w.sum()
    variance = n / (n - 1) * ((w * (x - mean)) ** 2).sum() / w.sum() ** 2
    reach = t.ppf(0.975, n - 1) * math.sqrt(variance)
    return mean - reach, mean + reach


def slope_interval(y: Any, x: Any, w: Any, *, weighted: bool) -> Ends | None:
    """Interval of the slope of y on x; with weights by the sandwich."""
    from scipy.stats import t

    n = len(y)
    design = np.column_stack([np.ones(n), x])
    bread = np.linalg.inv(design.T @ (w[:, None] * design))
    beta = bread @ design.T @ (w * y)
    residuals = y - design @ beta
    if weighted:
        scores = design * (w * residuals)[:, None]
        covariance = bread @ scores.T @ scores @ bread * n / (n - 2)
    else:
        covariance = bread * (residuals**2).sum() / (n - 2)
    reach = t.ppf(0.975, n - 2) * math.sqrt(covariance[1, 1])
    return float(beta[1] - reach), float(beta[1] + reach)


def overlap(one: Ends, other: Ends | None) -> float:
    """Mean share of what is common in both intervals."""
    if other is None:
        return 0.0
    common = min(one[1], other[1]) - max(one[0], other[0])
    if common < 0:
        return 0.0
    widths = [ends[1] - ends[0] for ends in (one, other)]
    return sum(common / width if width > 0 else 1.0 for width in widths) / 2
