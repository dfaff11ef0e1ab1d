from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from microveil import kernels
from microveil.kernels.interpretation import CELLS, MANY_CELLS, ROUNDS
from microveil.kernels.jit import kernel

ROOT = Path(__file__).parents[2]


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
codes = np.random.default_rng(0).integers(0, 90, (3, interpretation.CELLS // 2), dtype=np.int32)
mondrian(codes, space_of([Column("plain")] * 3), CutRule(5_000, False, WIDEST))
assert "numba" not in sys.modules
"""
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"MICROVEIL_CACHE_DIR": folder}
        subprocess.run([sys.executable, "-c", code], check=True, env=environment)  # noqa: S603  our own code


def test_the_page_lists_every_stand_in_with_the_cells_after_which_machine_code_runs() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    table = page.partition("## Compiled code")[2].partition("\n## ")[0]
    assert f"{ROUNDS:,} iterations, or at once for more than {CELLS:,} cells" in table
    assert f"{ROUNDS:,} iterations, or at once for more than {MANY_CELLS:,} cells" in table
    listed = dict(re.findall(r"(?m)^\| `(\S+)` \| `\S+` \| (.+) \|$", table))
    found: dict[str, set[str]] = {}
    for folder in Path(kernels.__file__).parent.iterdir():
        text = "".join(one.read_text(encoding="utf-8") for one in folder.glob("*.py"))
        if "stood_in_for(" in text:
            limits = re.findall(r"(?m)^MOST_(?:CELLS|ROWS_APART) = ([\d_]+)$", text)
            found[folder.name] = {f"{int(limit):,}" for limit in limits}
    stated: dict[str, set[str]] = {}
    for place, words in listed.items():
        room = place.split("/")[1]
        stated[room] = stated.get(room, set()) | set(re.findall(r"\d[\d,]+", words))
    assert stated == found
