"""Models of both tables, fitted by scikit-learn and SciPy, and partitions compared by pairs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np

from tests.verifier.recounts.cases import Case


def design(case: Case, names: Sequence[str]) -> tuple[Any, Any]:
    """Features of all records of both tables, and which are released.

    A number in standard deviations, at the mean and marked where missing; a feature for each
    category but one, missing being one.
    """
    rows = [*case.before, *case.after]
    released = np.array([0.0] * len(case.before) + [1.0] * len(case.after))
    columns = []
    for name in names:
        cells = [row[name] for row in rows]
        if isinstance(next(one for one in cells if one is not None), str):
            kinds = sorted({str(one) for one in cells})[1:]
            columns += [[float(str(one) == kind) for one in cells] for kind in kinds]
            continue
        there = np.array([row[name] for row in case.before if row[name] is not None], dtype=float)
        columns.append(
            [0.0 if one is None else (one - there.mean()) / there.std() for one in cells]
        )
        columns.append([float(one is None) for one in cells])
    return np.array(columns).T, released


def propensity(case: Case, names: Sequence[str]) -> float:
    """Mean squared distance of a logistic model's chances from the share of released records."""
    from scipy.optimize import minimize

    x, y = design(case, names)
    x = np.column_stack([np.ones(len(y)), x])

    def loss(beta: Any) -> tuple[float, Any]:
        scores = x @ beta
        chances = 1 / (1 + np.exp(-scores))
        return float(np.logaddexp(0, scores).sum() - y @ scores), x.T @ (chances - y)

    tight = {"maxiter": 20_000, "gtol": 1e-10, "ftol": 1e-16}
    beta = minimize(loss, np.zeros(x.shape[1]), jac=True, method="L-BFGS-B", options=tight).x
    return float(((1 / (1 + np.exp(-x @ beta)) - y.mean()) ** 2).mean())


def rand_loss(ours: Sequence[Any], theirs: Sequence[Any]) -> float:
    """1 minus the adjusted Rand index, by looking at every pair of records."""
    pairs = list(combinations(range(len(ours)), 2))
    a = [ours[i] == ours[j] for i, j in pairs]
    b = [theirs[i] == theirs[j] for i, j in pairs]
    both = sum(x and y for x, y in zip(a, b, strict=True))
    chance = sum(a) * sum(b) / len(pairs)
    return float(1 - (both - chance) / ((sum(a) + sum(b)) / 2 - chance))


def assigned(before: Any, after: Any) -> float:
    """Share of originals that the cheapest one-to-one assignment links to their record."""
    from scipy.optimize import linear_sum_assignment

    unit = after.std(axis=0, ddof=1)
    far = (((before[:, None] - after[None]) / unit) ** 2).sum(axis=2)
    return float((linear_sum_assignment(far)[1] == np.arange(len(before))).mean())


def agreements(before: Sequence[Any], after: Sequence[Any]) -> Any:
    """For each pair of records and column, whether they agree."""
    return np.array([[[x == y for x, y in zip(a, b, strict=True)] for b in after] for a in before])


def matched(agree: Any, u: Any) -> Any:
    """Chances of agreement in a match: EM with one pair in n a match, until nothing moves."""
    n = len(agree)
    least = 0.5 / n
    m = np.full(agree.shape[2], 0.9)
    for _ in range(3000):
        likely = np.where(agree, m, 1 - m).prod(axis=2) / n
        other = np.where(agree, u, 1 - u).prod(axis=2) * (1 - 1 / n)
        belongs = likely / (likely + other)
        now = (belongs[:, :, None] * agree).sum(axis=(0, 1)) / belongs.sum()
        m = np.clip(now, least, 1 - least)
    # Agreement is never taken for evidence against a match.
    return np.where(m < u, np.maximum(u, 0.9), m)


def probabilistic(agree: Any, u: Any, m: Any) -> float:
    """Share linked to the record with the largest weight, ties shared."""
    gain, loss = np.log2(m / u), np.log2((1 - m) / (1 - u))
    weights = np.where(agree, gain, loss).sum(axis=2)
    total = 0.0
    for i, row in enumerate(weights):
        near = [j for j, one in enumerate(row) if one >= row.max() - 1e-9]
        total += (i in near) / len(near)
    return total / len(weights)


def area(members: Sequence[float], others: Sequence[float]) -> float:
    """How often a member scores above another, ties counted half."""
    wins = [(x > y) + (x == y) / 2 for x in members for y in others]
    return math.fsum(wins) / len(wins)
