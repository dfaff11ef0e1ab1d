"""Cells that only several sums together leave a single value."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from microveil.arrays import Floats
from microveil.tabulation.outputs import equations
from microveil.tabulation.outputs.equations import Equation, Solved, solve_equations
from microveil.tabulation.outputs.sums import Key


def cell(*labels: str) -> Key:
    return frozenset(labels)


def lines(counts: Floats, hidden: set[tuple[int, int]]) -> list[Equation]:
    """The rows and columns of a table with their holes; what is shown is taken off."""
    n, m = counts.shape
    rows = [[(i, j) for j in range(m)] for i in range(n)]
    columns = [[(i, j) for i in range(n)] for j in range(m)]
    found = []
    for line in [*rows, *columns]:
        holes = [one for one in line if one in hidden]
        terms = {cell(f"r{i}", f"c{j}"): -1.0 for i, j in holes}
        if terms:
            found.append(Equation("t", terms, -float(sum(counts[one] for one in holes))))
    return found


def fixed_by_hand(hidden: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """Holes that no cycle of holes passes: only those keep their value in every table."""
    found = set()
    for one in hidden:
        row, column = ("r", one[0]), ("c", one[1])
        seen, open_ = {row}, [row]
        while open_:
            kind, at = open_.pop()
            for i, j in hidden - {one}:
                if (i if kind == "r" else j) == at:
                    step = ("c", j) if kind == "r" else ("r", i)
                    if step not in seen:
                        seen.add(step)
                        open_.append(step)
        if column not in seen:
            found.add(one)
    return found


@pytest.mark.parametrize("dense", [600, 0])
@pytest.mark.parametrize("seed", range(12))
def test_exactly_the_cells_on_no_cycle_follow(
    seed: int, dense: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(equations, "DENSE", dense)
    rng = np.random.default_rng(seed)
    counts = rng.integers(0, 60, (5, 6)).astype(float)
    hidden = {one for one in product(range(5), range(6)) if rng.random() < 0.4}
    found = {one.cell: one.value for one in solve_equations(lines(counts, hidden))}
    right = {cell(f"r{i}", f"c{j}"): counts[i, j] for i, j in fixed_by_hand(hidden)}
    assert found.keys() <= right.keys()
    alone = {one for equation in lines(counts, hidden) for one in equation.terms}
    linked = {name for name in right if name in alone and _beside(name, lines(counts, hidden))}
    assert linked <= found.keys()
    assert {name: right[name] for name in found} == pytest.approx(found, abs=1e-4)


def _beside(name: Key, sums: list[Equation]) -> bool:
    """Whether more than one sum is about a cell, or about those beside it."""
    return sum(name in one.terms for one in sums) > 1


def test_rows_less_columns_leave_one_cell() -> None:
    a, b, c, d, e = (cell(name) for name in "abcde")
    sums = [
        Equation("t", {a: -1.0, b: -1.0, c: -1.0}, -58.0),
        Equation("t", {d: -1.0, e: -1.0}, -63.0),
        Equation("t", {a: -1.0, d: -1.0}, -52.0),
        Equation("u", {c: -1.0, e: -1.0}, -65.0),
    ]
    assert list(solve_equations(sums)) == [Solved(b, 4.0, ("t", "u"))]


def test_sums_with_noise_fix_nothing() -> None:
    a, b = cell("a"), cell("b")
    sums = [Equation("t", {a: 1.0, b: 1.0}, value) for value in (10.0, 12.0)]
    assert list(solve_equations([*sums, Equation("t", {a: 1.0, b: -1.0}, 2.0)])) == []
    assert list(solve_equations([])) == []
