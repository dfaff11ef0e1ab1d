from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from microveil.arrays import Floats, Ints, Longs
from microveil.kernels import interpretation
from microveil.kernels.column_sets import set_bits
from microveil.kernels.draws import draw
from microveil.kernels.interpretation import Interpretation
from microveil.kernels.jit import kernel


class Sums(NamedTuple):
    values: Floats
    total: Floats


@kernel
def step(sums: Sums, i: int) -> None:
    sums.total[0] += sums.values[i]


@kernel
def add_up(sums: Sums) -> float:
    for i in range(sums.values.size):
        step(sums, i)
    return float(sums.total[0])


@kernel
def doubled(codes: Ints, factor: int) -> int:
    return int(codes[0] * factor)


@kernel
def first_and_rest(values: Longs) -> tuple[Longs, Longs, Longs]:
    values[0] = 7
    return values, values[1:], np.zeros(2, np.int64)


@kernel
def share(values: Floats) -> float:
    return float(values[0] / values[1])


@kernel
def logarithm(x: float) -> float:
    return float(np.log(x))


def run(loop: Any, *arguments: Any) -> Any:
    return Interpretation(loop).run(arguments)


def test_what_a_loop_writes_is_written_to_the_callers_arrays() -> None:
    sums = Sums(np.array([1.0, 2.0, 4.0]), np.zeros(1))
    assert run(add_up, sums) == (7.0,)
    assert sums.total.tolist() == [7.0]


def test_numbers_come_back_as_those_of_python() -> None:
    (found,) = run(add_up, Sums(np.ones(3), np.zeros(1)))
    assert type(found) is float


def test_a_run_that_is_given_up_leaves_no_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interpretation, "ROUNDS", 100)
    sums = Sums(np.ones(20), np.zeros(1))
    interpreted = Interpretation(add_up)
    assert interpreted.run((sums,)) == (20.0,)
    assert interpreted.run((sums,)) is None  # a call counts for 50 rounds: none are left
    assert sums.total.tolist() == [20.0]


def test_only_changed_cells_are_written_so_that_threads_may_share_an_array() -> None:
    papers = interpretation._Papers(interpretation.CELLS)
    shared = np.zeros(4)
    mine = papers.copy(shared)
    mine[0] = 1.0
    shared[3] = 5.0  # another thread's
    papers.write_back()
    assert shared.tolist() == [1.0, 0.0, 0.0, 5.0]


def test_a_result_is_a_view_of_the_callers_array_where_the_loop_returns_one() -> None:
    values = np.arange(4)
    whole, rest, own = run(first_and_rest, values)[0]
    assert whole is values
    assert values.tolist() == [7, 1, 2, 3]
    assert np.shares_memory(rest, values)
    assert rest.tolist() == [1, 2, 3]
    assert not np.shares_memory(own, values)


@pytest.mark.parametrize(
    ("loop", "arguments"),
    [
        (doubled, (np.array([2**30], dtype=np.int32), 4)),  # 64 bits hold it, Python's 32 do not
        (share, (np.array([1.0, 0.0]),)),
        (add_up, (Sums(np.zeros(interpretation.ROUNDS), np.zeros(1)),)),
        (doubled, (["a list"], 1)),
    ],
    ids=["overflow", "division by zero", "too much", "no array"],
)
def test_what_is_out_of_the_ordinary_is_left_to_compiled_code(loop: Any, arguments: Any) -> None:
    assert run(loop, *arguments) is None


def test_arrays_that_overlap_are_left_to_compiled_code() -> None:
    values = np.zeros(5)
    assert run(add_up, Sums(values, values[:1])) is None


def test_a_loop_that_sees_variables_of_another_function_is_left_to_compiled_code() -> None:
    seen = 3

    @kernel
    def tripled(x: int) -> int:
        return x * seen

    assert run(tripled, 2) is None


def test_random_numbers_wrap_round_as_they_should() -> None:
    words = np.array([2**64 - 1], dtype=np.uint64)
    (found,) = run(draw, words)
    assert 0 <= found < 1
    assert words[0] == 0x9E3779B97F4A7C15 - 1


def test_logarithms_are_those_of_the_c_library() -> None:
    for x in np.random.default_rng(0).lognormal(size=500).tolist():
        assert run(logarithm, x) == (math.log(x),)


def test_the_budget_is_for_all_calls_together_and_then_code_is_compiled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(interpretation, "ROUNDS", 200)
    interpreted = Interpretation(logarithm)
    outcomes = [interpreted.run((1.0,)) for _ in range(6)]
    assert outcomes == [(0.0,)] * 4 + [None] * 2


def test_it_is_seen_where_machine_code_lies_on_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MICROVEIL_CACHE_DIR", str(tmp_path))
    assert not interpretation.is_cached(set_bits.py_func)  # type: ignore[attr-defined]
    code = """
import numpy as np
from microveil.kernels.column_sets import set_bits
from microveil.kernels.jit import always_compiled
with always_compiled():
    set_bits(np.array([0, 1]), 2)
"""
    subprocess.run([sys.executable, "-c", code], check=True)  # noqa: S603  our own code
    assert interpretation.is_cached(set_bits.py_func)  # type: ignore[attr-defined]
