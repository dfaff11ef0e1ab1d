"""Measuring marginals of coded records with noise, at a cost."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import reduce

import numpy as np

from microveil.arrays import Floats
from microveil.synthesis.private.compression import Compression, compress
from microveil.synthesis.private.generator import Mechanism, estimated_total
from microveil.synthesis.private.junction_tree import Clique
from microveil.synthesis.private.marginals import CodedTable, Measurement, shape_of


@dataclass(frozen=True, eq=False)
class SingleColumns:
    """Estimates from the noisy counts of single columns."""

    measurements: tuple[Measurement, ...]
    """Noisy counts by the codes that are distinguished."""
    compression: Compression
    total: float
    """Estimated number of records."""

    def independent(self, columns: Clique) -> Floats:
        """Expected counts of a marginal if its columns were independent."""
        shares = [np.maximum(self.measurements[column].values, 0.0) for column in columns]
        even = [np.full(len(one), 1 / len(one)) for one in shares]
        parts = [
            one / one.sum() if one.sum() > 0 else flat
            for one, flat in zip(shares, even, strict=True)
        ]
        table: Floats = self.total * reduce(np.multiply.outer, parts)
        return table


def measure_columns(table: CodedTable, mechanism: Mechanism, rho: Fraction) -> SingleColumns:
    """Count each column's values with noise, at a total cost of ρ; merge what noise hides."""
    each = rho / len(table.sizes)
    noisy = [
        measure(table, (column,), mechanism, each, "columns") for column in range(len(table.sizes))
    ]
    scale = float(np.sqrt(noisy[0].variance.flat[0]))
    counts = [one.values for one in noisy]
    compression = compress(counts, scale)
    return SingleColumns(
        tuple(compression.measurement(column, one, scale**2) for column, one in enumerate(counts)),
        compression,
        estimated_total([float(one.sum()) for one in counts], table.sizes),
    )


def measure(
    table: CodedTable, columns: Clique, mechanism: Mechanism, rho: Fraction, purpose: str
) -> Measurement:
    """Count a marginal with noise at a cost of ρ."""
    cost = mechanism.spending.take(rho, purpose)
    noisy, scale = mechanism.noise.counts(table.counts(columns), cost)
    values = noisy.astype(np.float64).reshape(shape_of(table.sizes, columns))
    return Measurement(columns, values, np.full(values.shape, scale**2))
