"""One run: a data set, an algorithm, a k, and the thesis' five measures of the classes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from time import process_time

import numpy as np
import polars as pl

from microveil.methods import Datafly, Mondrian
from microveil.progress import Progress
from microveil.studies.zaragoza.later import LATER, Maker, left_out
from microveil.studies.zaragoza.tables import DataSet, data_sets
from microveil.tables import Classes, Roles, Table

KS = (2, 8, 32, 128)
DOCUMENT_ALGORITHMS: Mapping[str, Maker] = {
    "Datafly": lambda k, keys: Datafly(k=k, columns=keys),
    "Mondrian strict": lambda k, keys: Mondrian(k=k, columns=keys, publish="ranges"),
    "Mondrian relaxed": lambda k, keys: Mondrian(
        k=k, columns=keys, publish="ranges", mode="relaxed"
    ),
}
MEASURES = ("combinations", "smallest", "largest", "mean", "variance")


@dataclass(frozen=True)
class Run:
    """One data set, one algorithm, one k: the five measures of the thesis."""

    data: DataSet
    algorithm: str
    k: int
    measures: Mapping[str, float]
    seconds: float = 0.0
    """Of the processor, so that other work on the machine does not count."""


def class_measures(frame: pl.DataFrame, keys: list[str]) -> dict[str, float]:
    """The five measures of a released table's classes."""
    classes = Classes.of(Table(frame, Roles(quasi_identifiers=tuple(keys))))
    sizes = np.asarray(classes.counts, dtype=np.float64)
    values = (sizes.size, sizes.min(), sizes.max(), sizes.mean(), sizes.var())
    return dict(zip(MEASURES, map(float, values), strict=True))


def all_runs(progress: Progress, *, quick: bool) -> Iterator[Run]:
    """Every data set at every k by every algorithm that can be run on it."""
    algorithms = {**DOCUMENT_ALGORITHMS, **LATER}
    sets = list(data_sets())
    for i, data in enumerate(sets):
        frame = data.frame()
        table = Table(frame)
        for k in KS:
            progress(i, len(sets) + 1, f"{data.name}, k = {k}")
            for name, make in algorithms.items():
                if name in LATER and left_out(name, data, quick=quick):
                    continue
                method = make(k, frame.columns)
                start = process_time()
                released = method.apply(table, np.random.default_rng(0)).table.frame
                seconds = process_time() - start
                yield Run(data, name, k, class_measures(released, frame.columns), seconds)
