"""Further sentences of section 6 about number sets, asked of the runs."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

import numpy as np

from microveil.studies.zaragoza.runs import DOCUMENT_ALGORITHMS, KS, Run

FEW_RECORDS = 1_000
UNSTEADY_K = 8
MUCH_LESS = 0.1
"""Of the relative difference on independent sets: what remains where it is much smaller."""
STEADY = 0.05
"""Shares of the optimum apart, below which two sizes give the same ratio."""


def more_claims(runs: list[Run]) -> dict[str, bool]:
    """Each sentence, and whether it holds."""
    return {
        "Strict Mondrian has the best mean ratio to the optimum, dependent": _best_ratio(runs),
        "Datafly comes nearest to Mondrian with the fewest values, dependent": _nearest(runs),
        "1,000 linear records: Datafly anonymises completely (one combination), at every k": (
            _complete(runs)
        ),
        "Linear and quadratic differ far less on dependent sets (Datafly)": _alike(runs),
        "Strict Mondrian's sizes become irregular at large k, dependent": _irregular(runs),
        "Datafly's variance of sizes grows with the number of records, dependent": _growing(runs),
        "Mondrian's ratio is unsteady at 1,000 records and k = 8": _unsteady(runs),
    }


def combinations(
    runs: list[Run], kind: str, algorithm: str, measure: str = "combinations"
) -> dict[tuple[str, int, int, int], float]:
    """A measure of an algorithm's runs, by growth, size, columns and k."""
    return {
        (run.data.growth, run.data.size, run.data.n_columns, run.k): run.measures[measure]
        for run in runs
        if run.data.kind == kind and run.algorithm == algorithm
    }


def pairs(found: Mapping[tuple[str, int, int, int], float]) -> list[tuple[float, float]]:
    """Linear beside quadratic, where both were run."""
    return [
        (value, found["quadratic", *key[1:]])
        for key, value in found.items()
        if key[0] == "linear" and ("quadratic", *key[1:]) in found
    ]


def _ratios(runs: list[Run], kind: str, algorithm: str) -> list[float]:
    """Combinations as shares of the optimum N / k."""
    return [
        run.measures["combinations"] * run.k / run.data.n_records
        for run in runs
        if run.data.kind == kind and run.algorithm == algorithm
    ]


def _best_ratio(runs: list[Run]) -> bool:
    mean = {name: np.mean(_ratios(runs, "dependent", name)) for name in DOCUMENT_ALGORITHMS}
    return max(mean, key=lambda name: mean[name]) == "Mondrian strict"


def _nearest(runs: list[Run]) -> bool:
    """Mean of Datafly's combinations as shares of Mondrian's, by the number of values."""
    datafly = combinations(runs, "dependent", "Datafly")
    mondrian = combinations(runs, "dependent", "Mondrian strict")
    shares: dict[int, list[float]] = {}
    for key, n in datafly.items():
        shares.setdefault(key[1], []).append(n / mondrian[key])
    means = {values: float(np.mean(of_values)) for values, of_values in shares.items()}
    return max(means, key=lambda values: means[values]) == min(means)


def _complete(runs: list[Run]) -> bool:
    found = combinations(runs, "independent", "Datafly")
    return all(
        n == 1
        for (growth, size, _, _), n in found.items()
        if growth == "linear" and size == FEW_RECORDS
    )


def _alike(runs: list[Run]) -> bool:
    """Largest relative difference between linear and quadratic, by kind of set."""
    apart = {
        kind: max(
            (abs(a - b) / max(a, b) for a, b in pairs(combinations(runs, kind, "Datafly"))),
            default=0.0,
        )
        for kind in ("independent", "dependent")
    }
    return apart["dependent"] <= MUCH_LESS * apart["independent"]


def _irregular(runs: list[Run]) -> bool:
    """Whether sizes spread more, relative to their mean, at the largest k than at the smallest."""
    spread = {
        k: np.mean(
            [
                np.sqrt(run.measures["variance"]) / run.measures["mean"]
                for run in runs
                if (run.data.kind, run.algorithm, run.k) == ("dependent", "Mondrian strict", k)
            ]
        )
        for k in (KS[0], KS[-1])
    }
    return bool(spread[KS[-1]] > spread[KS[0]])


def _growing(runs: list[Run]) -> bool:
    """Mean variance over k and both kinds of values, at each number of records."""
    found = combinations(runs, "dependent", "Datafly", "variance")
    sizes: dict[int, list[float]] = {}
    for (_, values, columns, _), value in found.items():
        sizes.setdefault(values**columns, []).append(value)
    means = [float(np.mean(sizes[size])) for size in sorted(sizes)]
    return all(small < large for small, large in itertools.pairwise(means))


def _unsteady(runs: list[Run]) -> bool:
    """Whether its ratio there is off the one of the largest sets."""
    found = combinations(runs, "independent", "Mondrian strict")
    ratio = {
        size: n * UNSTEADY_K / size
        for (growth, size, _, k), n in found.items()
        if (growth, k) == ("linear", UNSTEADY_K)
    }
    return bool(ratio) and abs(ratio[min(ratio)] - ratio[max(ratio)]) > STEADY
