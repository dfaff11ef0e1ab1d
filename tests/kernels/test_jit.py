from __future__ import annotations

import os
import subprocess
import sys
import tempfile

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


def test_a_loop_that_leaves_cells_to_numpy_is_interpreted_on_larger_arrays() -> None:
    code = """
import sys
import numpy as np
from microveil.kernels import interpretation
from microveil.kernels.mondrian.cuts import WIDEST, CutRule
from microveil.kernels.mondrian.partition import mondrian
from tests.kernels.plain_mondrian import Column, space_of
codes = np.random.default_rng(0).integers(0, 90, (2, interpretation.CELLS), dtype=np.int32)
mondrian(codes, space_of([Column("plain"), Column("plain")]), CutRule(5_000, False, WIDEST))
assert "numba" not in sys.modules
"""
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"MICROVEIL_CACHE_DIR": folder}
        subprocess.run([sys.executable, "-c", code], check=True, env=environment)  # noqa: S603  our own code
