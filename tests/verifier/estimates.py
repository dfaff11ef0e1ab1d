"""Estimates of populations and the transport problem, from their formulas alone."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np


def least_class(n: int, population: int, said: Mapping[str, Any]) -> int:
    """Class size that stands for k people (El Emam & Dankar 2008), by Poisson quantiles."""
    from scipy.stats import poisson

    mean = said["k"] * n / population
    sure = 1 - said["significance"]
    if said["estimator"] == "poisson":
        size = next(
            x for x in range(said["k"] + 1) if x == said["k"] or poisson.cdf(x, mean) >= sure
        )
        return int(min(size + 2, said["k"]))
    sizes = range(said["k"] + 1)
    some = poisson.sf(0, mean)  # exact where the mean is small, as 1 − P(0) is not
    reached = [sum(poisson.pmf(y, mean) for y in range(1, x + 1)) / some for x in sizes]
    size = next((x for x in sizes if reached[x] >= sure - 1e-13), said["k"])
    return int(min(size + 1, said["k"]))


def unique_share(classes: Mapping[int, float], population: int, estimator: str) -> float:
    """Share of people who are unique in the population, from the classes of each size."""
    n = round(sum(size * count for size, count in classes.items()))
    if estimator == "zayatz" or (estimator == "dankar" and n > population / 10):
        return zayatz(classes, n, population)
    return pitman(classes, n, population)


def zayatz(classes: Mapping[int, float], n: int, population: int) -> float:
    """Zayatz (1991): sample uniques that are population uniques, by hypergeometric chances."""

    def drawn(size: int) -> float:
        if population - size < n - 1:
            return 0.0
        return size * math.comb(population - size, n - 1) / math.comb(population, n)

    total = math.fsum(count * drawn(size) for size, count in classes.items())
    return classes[1] * (classes[1] * drawn(1) / total) / n


def pitman(classes: Mapping[int, float], n: int, population: int) -> float:
    """Pitman's model by maximum likelihood (Hoshino 2001); uniques Γ(θ+1)/Γ(θ+α)·N^α."""
    from scipy.optimize import minimize
    from scipy.special import gammaln

    sizes = np.array(list(classes), dtype=float)
    counts = np.array(list(classes.values()), dtype=float)
    found = counts.sum()
    if found == n:
        return 1.0

    def parameters(point: Sequence[float]) -> tuple[float, float]:
        share = 1 / (1 + math.exp(-min(max(point[1], -25.0), 25.0)))
        return math.exp(min(max(point[0], -25.0), 25.0)) - share, share

    def cost(point: Sequence[float]) -> float:
        theta, share = parameters(point)
        new = _log_rising(theta + share, share, found - 1)
        old = counts @ (gammaln(sizes - share) - gammaln(1 - share))
        return -float(new - gammaln(theta + n) + gammaln(theta + 1) + old)

    starts = [(a, b) for a in (-2.0, 4.0) for b in (-2.0, 2.0)]
    tight = {"xatol": 1e-10, "fatol": 1e-13, "maxiter": 8000}
    fits = [minimize(cost, one, method="Nelder-Mead", options=tight) for one in starts]
    theta, share = parameters(min(fits, key=lambda fit: float(fit.fun)).x)
    log = gammaln(theta + 1) - gammaln(theta + share) + (share - 1) * math.log(population)
    return float(min(math.exp(log), 1.0))


def _log_rising(start: float, step: float, times: float) -> float:
    """Log of start·(start + step)·… , so many factors; between whole numbers by the Γ function.

    Γ(start/step + times)·step^times / Γ(start/step), which loses all digits where steps are small.
    """
    from scipy.special import gammaln

    whole = int(times)
    logs = math.fsum(math.log(start + step * i) for i in range(whole))
    if times == whole:
        return logs
    last, rest = start / step + whole, times - whole
    if last > 1e5:
        return logs + rest * math.log(start + step * whole)
    return logs + float(gammaln(last + rest) - gammaln(last)) + rest * math.log(step)


def transported(
    here: Counter[Any], there: Counter[Any], tree: Mapping[str, Sequence[str]]
) -> float:
    """Cheapest way to move shares over a tree of two levels: ½ within a branch, 1 between them."""
    from scipy.optimize import linprog

    labels = list(there)
    branch = {value: name for name, members in tree.items() for value in members}
    n, m = sum(here.values()), sum(there.values())

    def apart(one: Any, other: Any) -> float:
        if one == other:
            return 0.0
        if one is None or other is None:
            return 1.0
        return 0.5 if branch[one] == branch[other] else 1.0

    size = len(labels)
    cost = [apart(one, other) for one in labels for other in labels]
    leaving = np.kron(np.eye(size), np.ones(size))
    coming = np.kron(np.ones(size), np.eye(size))
    shares = [here[v] / n for v in labels] + [there[v] / m for v in labels]
    solved = linprog(cost, A_eq=np.vstack([leaving, coming]), b_eq=shares, bounds=(0, None))
    return float(solved.fun)
