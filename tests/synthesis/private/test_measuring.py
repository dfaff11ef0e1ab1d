from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from microveil.synthesis.private.accounting import Spending
from microveil.synthesis.private.generator import Mechanism
from microveil.synthesis.private.marginals import CodedTable
from microveil.synthesis.private.measuring import measure, measure_columns
from microveil.synthesis.private.noise import InsecureNoise

CODES = np.random.default_rng(2).integers(0, 2, (3, 5000)).astype(np.int32)
TABLE = CodedTable(CODES, (2, 2, 2))


def mechanism(rho: int = 1) -> Mechanism:
    return Mechanism(Spending(Fraction(rho)), InsecureNoise(np.random.default_rng(0)))


def test_a_marginal_is_counted_with_the_noise_its_price_buys() -> None:
    by = mechanism()
    found = measure(TABLE, (0, 1), by, Fraction(1, 2), "pairs")
    scale = float(np.sqrt(found.variance[0, 0]))
    # One record changes one count by one: ρ = 1 / (2·σ²).
    assert scale == pytest.approx(1.0, rel=0.1)
    truth = TABLE.counts((0, 1)).reshape(2, 2)
    assert np.abs(found.values - truth).max() < 6 * scale
    assert by.spending.left == Fraction(1, 2)


def test_columns_share_their_price_and_tell_the_number_of_records() -> None:
    by = mechanism(10)
    singles = measure_columns(TABLE, by, Fraction(3))
    assert by.spending.left == 7
    assert [one.columns for one in singles.measurements] == [(0,), (1,), (2,)]
    assert singles.total == pytest.approx(5000, abs=20)


def test_independent_counts_multiply_the_shares() -> None:
    singles = measure_columns(TABLE, mechanism(), Fraction(1))
    table = singles.independent((0, 2))
    assert table.sum() == pytest.approx(singles.total)
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    assert table == pytest.approx(np.outer(rows, columns) / singles.total)
