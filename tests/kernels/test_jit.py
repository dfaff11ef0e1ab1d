from __future__ import annotations

import subprocess
import sys

import numpy as np

from microveil.kernels.jit import kernel


def test_no_sum_is_taken_in_another_order() -> None:
    @kernel
    def total(values: np.ndarray) -> float:
        found = 0.0
        for value in values:
            found += value
        return found

    values = np.array([1e16, 1.0, -1e16, 1.0] * 50)
    expected = 0.0
    for value in values.tolist():
        expected += value
    assert total(values) == expected


def test_small_data_need_no_numba_and_compilation_can_be_asked_for() -> None:
    code = """
import sys
import numpy as np
from microveil.kernels.column_sets import set_bits
from microveil.kernels.jit import always_compiled
assert set_bits(np.array([0, 2]), 2) == 5
assert "numba" not in sys.modules
with always_compiled():
    assert set_bits(np.array([0, 2]), 2) == 5
assert "numba" in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)  # noqa: S603  our own code
