"""Warm up: compile what methods and measures need, so that the first real run does not wait."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

import numpy as np
import polars as pl

from microveil.app.assessing import assess
from microveil.app.comparing import compare
from microveil.errors import MicroveilError
from microveil.kernels.jit import always_compiled
from microveil.methods import METHODS, Method
from microveil.progress import Progress, silent
from microveil.tables import Roles, Table

N_RECORDS = 200
PARAMETERS: Mapping[str, tuple[dict[str, Any], ...]] = {
    "mondrian": ({"k": 3}, {"k": 3, "mode": "relaxed"}, {"k": 3, "split": "ncp"}),
    "datafly": ({"k": 3, "max_suppressed": 40},),
    "incognito": ({"k": 3, "suppression_share": 0.2},),
    "optimal_generalization": ({"k": 3, "suppression_share": 0.2},),
    "local_recoding": ({"k": 3},),
    "local_suppression": ({"k": 3}, {"k": 3, "missing": "wildcard"}),
    "microaggregate": (
        {"columns": ["pay", "age"], "k": 3},
        {"columns": ["pay"], "k": 3},
        {"columns": ["pay", "town"], "k": 3},
        {"columns": ["pay", "age"], "k": 3, "algorithm": "refined"},
    ),
    "rank_swap": ({"columns": ["pay"], "range_share": 0.1},),
    "half_swap": ({"columns": ["pay"]},),
    "shuffle": ({"columns": ["pay"], "given": ["age"]},),
    "pram": ({"columns": ["town"], "retention": 0.8},),
    "randomized_response": ({"columns": ["town"], "epsilon": 1.0},),
    "additive_noise": ({"columns": ["pay"], "sd_share": 0.1},),
    "swap_records": ({"hierarchy": ["town"], "swap_share": 0.1},),
    "synthesize": ({}, {"generator": "boosted"}),
}
"""Calls of the methods that need compiled code; the others need none."""


def warm_up(progress: Progress = silent) -> dict[str, float]:
    """Use methods and measures once on artificial data; return the seconds that each took.

    >>> {step.kind() for _, step in _steps()} == set(PARAMETERS)
    True
    """
    frame, roles = _example()
    table = Table(frame, roles)
    jobs = [*_steps(), *(("risk", None), ("compare", None))]
    taken: dict[str, float] = {}
    for done, (name, step) in enumerate(jobs):
        progress(done, len(jobs), name)
        started = time.perf_counter()
        # Artificial data need not suit every method, and are too few to be compiled for.
        with suppress(MicroveilError), always_compiled():
            _use(name, step, table)
        taken[name] = taken.get(name, 0.0) + time.perf_counter() - started
    progress(len(jobs), len(jobs), "done")
    return taken


def _use(name: str, step: Method | None, table: Table) -> None:
    if step is not None:
        step.apply(table, np.random.default_rng(0))
    elif name == "risk":
        assess(table)
    else:
        compare(table, table.take(np.arange(0, table.height, 2)))
        compare(table, table)


def _steps() -> Iterator[tuple[str, Method]]:
    for name, ways in PARAMETERS.items():
        for way in ways:
            yield name, METHODS.parse({"method": name, **way})


def _example() -> tuple[pl.DataFrame, Roles]:
    rng = np.random.default_rng(0)
    frame = pl.DataFrame(
        {
            "age": rng.integers(18, 80, N_RECORDS),
            # A household lives in one town: records are swapped between towns, households whole.
            "town": rng.choice(["a", "b", "c", "d"], N_RECORDS // 2).repeat(2),
            "sex": rng.choice(["f", "m"], N_RECORDS),
            "pay": rng.lognormal(8, 1, N_RECORDS),
            "house": np.arange(N_RECORDS) // 2,
        }
    )
    roles = Roles(quasi_identifiers=("age", "town", "sex"), sensitive=("pay",), household="house")
    return frame, roles
