"""Coded records of four columns, and models of their marginals."""

import numpy as np
from numpy.typing import NDArray

from microveil.synthesis.private.inference import MarginalModel, fit_marginals
from microveil.synthesis.private.junction_tree import Clique
from microveil.synthesis.private.marginals import CodedTable, Measurement, shape_of

Floats = NDArray[np.float64]
SIZES = (2, 3, 2, 4)


def coded_table(n: int = 2000) -> CodedTable:
    rng = np.random.default_rng(3)
    first = rng.integers(0, 2, n)
    second = (first + (rng.random(n) < 0.2)) % 3
    third = rng.integers(0, 2, n)
    fourth = (second + third + (rng.random(n) < 0.1)) % 4
    return CodedTable(np.stack([first, second, third, fourth]).astype(np.int32), SIZES)


def measured(table: CodedTable, columns: Clique, variance: float) -> Measurement:
    values = table.counts(columns).reshape(shape_of(SIZES, columns)).astype(np.float64)
    return Measurement(columns, values, np.full(values.shape, variance))


def model_of(table: CodedTable, cliques: list[Clique], variance: float = 1e-3) -> MarginalModel:
    singles: list[Clique] = [(0,), (1,), (2,), (3,)]
    found = [measured(table, one, variance) for one in [*singles, *cliques]]
    return fit_marginals(found, SIZES, table.n_records, steps=500)
