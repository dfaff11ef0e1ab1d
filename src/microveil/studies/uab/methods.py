"""The thesis' functions by our names, with the parameters it ran them with, and their averages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from time import perf_counter

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.methods import (
    AdditiveNoise,
    Method,
    Microaggregate,
    MultiplicativeNoise,
    Permute,
    RankSwap,
)
from microveil.risk import IntervalDisclosure
from microveil.studies.cells import sampling_error
from microveil.studies.uab.published import N_RUNS, Data
from microveil.tables import Table
from microveil.utility import IL1s

ROUNDING = 1e-9
INTERVAL = 0.2
"""Half the interval of risk, in standard deviations of the protected values."""


def methods(column: str) -> Mapping[str, Method]:
    """Ours by name, among them what the rank swapping of thesis and sdcMicro may have been."""
    return {
        "additive noise": AdditiveNoise(columns=[column], sd_share=0.2),
        "multiplicative noise": MultiplicativeNoise(
            columns=[column], sd=0.3, distribution="normal", redraw=False
        ),
        "rank swap": RankSwap(columns=[column], range_share=0.2),
        "rank swap, blocks": RankSwap(columns=[column], range_share=0.2, variant="blocks"),
        "rank swap, chained": RankSwap(columns=[column], range_share=0.2, variant="chained"),
        "permutation": Permute(columns=[column]),
        "microaggregation": Microaggregate(columns=[column], k=5),
    }


@dataclass(frozen=True)
class Averages:
    """Means over runs, and how much the runs differ."""

    data: Data
    method: str
    n_runs: int
    mean: Mapping[str, float]
    deviation: Mapping[str, float]

    def error(self, quantity: str, theirs: int = N_RUNS) -> float:
        """Standard error of the difference from the thesis' average over its own runs."""
        deviation = self.deviation[quantity]
        if deviation < ROUNDING * abs(self.mean[quantity]):  # kept exactly, summed in any order
            return 0.0
        return sampling_error(deviation, self.n_runs, theirs)


def averages(data: Data, frame: pl.DataFrame, name: str, n_runs: int) -> Averages:
    """Protect the column again and again, each time with a stream of its own."""
    column = frame.columns[0]
    method, table = methods(column)[name], Table(frame)
    method.apply(table, np.random.default_rng(0))  # kernels are compiled before time is taken
    runs = [_run(method, table, column, seed) for seed in range(n_runs)]
    values = {key: np.array([run[key] for run in runs]) for key in runs[0]}
    means = {key: float(array.mean()) for key, array in values.items()}
    deviations = {key: _deviation(array) for key, array in values.items()}
    return Averages(data, name, n_runs, means, deviations)


def _run(method: Method, table: Table, column: str, seed: int) -> dict[str, float]:
    rng = np.random.default_rng([2021, seed])
    start = perf_counter()
    released = method.apply(table, rng).table
    seconds = perf_counter() - start
    values = released.frame[column].cast(pl.Float64).to_numpy()
    errors = np.abs(values - table.frame[column].cast(pl.Float64).to_numpy())
    return {
        "il1s": IL1s(columns=[column]).measure(table, released).value,
        "risk": IntervalDisclosure(columns=[column], k=INTERVAL).measure(table, released).value,
        "mean": float(values.mean()),
        "sd": float(values.std(ddof=1)),
        "seconds": seconds,
        "smallest": float(values.min()),
        "largest": float(values.max()),
        "peak": float(errors.max() / max(np.median(errors), ROUNDING)),
    }


def _deviation(array: NDArray[np.float64]) -> float:
    return float(array.std(ddof=1)) if array.size > 1 else 0.0
