"""Replications of the experiment: normal data, masked by five methods, many at once.

Every replication is a stratum of one table, so that a method is called once for a thousand of
them; within a stratum it draws as it would for a table of its own.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from microveil.arrays import Floats
from microveil.methods import Method, RankSwap, Shuffle
from microveil.methods.half_swap import swapped_halves
from microveil.tables import Roles, Table

SWAPS = {"swap 10 %": 0.1, "swap 50 %": 0.5, "swap 100 %": 1.0}
METHODS = ("C&S", "shuffling", *SWAPS)


def normal_data(n: int, rho: float, n_columns: int, runs: int, rng: np.random.Generator) -> Floats:
    """(runs, n, columns) standard normal values, any two columns correlated by ``rho``."""
    common = rng.standard_normal((runs, n, 1))
    own = rng.standard_normal((runs, n, n_columns))
    return np.asarray(np.sqrt(rho) * common + np.sqrt(1 - rho) * own)


def masked_by(
    name: str, data: Floats, rng: np.random.Generator, *, exact: bool = True
) -> tuple[Floats, Floats]:
    """What an intruder holds and what is released, replication by replication.

    C&S swaps between halves of n records each and is measured within the first: only this
    reproduces the slides' numbers. All others mask the first n of the 2 n records given.
    """
    n = data.shape[1] // 2
    if name == "C&S":
        return data[:, :n], _halves_exchanged(data)[:, :n]
    return data[:, :n], _mask(data[:, :n], _method(name, data.shape[2], exact=exact), rng)


def _method(name: str, n_columns: int, *, exact: bool) -> Method:
    """Shuffling or swapping of columns that are all confidential.

    In experiment 1 the slides' shuffled data have nearly exactly the correlations of the sample,
    like exact draws from the normal distribution of the values. In experiment 2 exact draws would
    make all candidates tie; its shares are those of ordinary draws.
    """
    columns = _names(n_columns)
    if name == "shuffling":
        return Shuffle(columns=columns, model="values", exact=exact)
    return RankSwap(columns=columns, range_share=SWAPS[name])


def _names(n_columns: int) -> list[str]:
    return [f"X{i + 1}" for i in range(n_columns)]


def _frame(data: Floats) -> pl.DataFrame:
    runs, n, n_columns = data.shape
    flat = np.ascontiguousarray(data).reshape(runs * n, n_columns)
    frame = pl.DataFrame(flat, schema=_names(n_columns))
    return frame.with_columns(pl.Series("run", np.repeat(np.arange(runs), n)))


def _mask(data: Floats, method: Method, rng: np.random.Generator) -> Floats:
    table = Table(_frame(data), Roles(strata=("run",)))
    released = method.apply(table, rng).table.frame.select(_names(data.shape[2]))
    return released.to_numpy().reshape(data.shape)


def _halves_exchanged(data: Floats) -> Floats:
    """Independent records need no mixing before they are cut into halves."""
    frame = _frame(data)
    runs, n, n_columns = data.shape
    strata = list(np.arange(runs * n, dtype=np.int32).reshape(runs, n))
    columns = [swapped_halves(frame[name], strata) for name in _names(n_columns)]
    return pl.DataFrame(columns).to_numpy().reshape(data.shape)


def correlations(left: Floats, right: Floats) -> Floats:
    """Pearson's, of two (runs, n) arrays, run by run."""
    left = left - left.mean(axis=1, keepdims=True)
    right = right - right.mean(axis=1, keepdims=True)
    scale = np.sqrt((left**2).sum(axis=1) * (right**2).sum(axis=1))
    product: Floats = (left * right).sum(axis=1) / scale
    return product


def rank_correlations(data: Floats) -> Floats:
    """Spearman's, of the first two columns, run by run; the values have no ties."""
    ranks = np.argsort(np.argsort(data, axis=1), axis=1).astype(np.float64)
    return correlations(ranks[:, :, 0], ranks[:, :, 1])
