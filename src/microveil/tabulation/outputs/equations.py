"""Cells that follow from sums taken together, where no sum alone has a single unknown left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import lsqr

from microveil.arrays import Floats, Longs
from microveil.tabulation.outputs.sums import Key

DENSE = 600
"""Unknown cells up to which a system is solved at once; larger ones step by step."""
FIXED = 1e-6
"""How far a cell may move, if anything random may move, and is still called fixed."""
EXACT = 1e-6
"""Largest relative error of sums that are true; with noise in them nothing follows exactly."""


class Equation(NamedTuple):
    """A total less its parts: what the unknown cells of a sum must add up to."""

    table: str
    terms: dict[Key, float]
    """Unknown cells and how they count: 1 for a total, −1 for a part."""
    constant: float


class Solved(NamedTuple):
    """A cell with the only value that it can have, and the tables whose sums say so."""

    cell: Key
    value: float
    tables: tuple[str, ...]


def solve_equations(equations: Sequence[Equation]) -> Iterator[Solved]:
    """Every unknown cell that all equations together leave only one value.

    A cell is fixed if no direction in which the cells can move without breaking a sum moves it: a
    random vector is projected on these directions, and whatever stays 0 is fixed.
    """
    cells = list(dict.fromkeys(cell for one in equations for cell in one.terms))
    if not cells:
        return
    matrix = _matrix(equations, cells)
    constants = np.array([one.constant for one in equations])
    block = connected_components(abs(matrix.T) @ abs(matrix), directed=False)[1]
    of_equation = block[matrix.indices[matrix.indptr[:-1]]]
    for number in range(int(block.max()) + 1):
        rows, columns = np.flatnonzero(of_equation == number), np.flatnonzero(block == number)
        if len(rows) < 2:  # noqa: PLR2004  a sum alone with two unknown cells tells neither
            continue
        tables = tuple(sorted({equations[int(row)].table for row in rows}))
        part = csr_array(matrix[rows][:, columns])
        for place, value in _find_fixed(part, constants[rows]):
            yield Solved(cells[columns[place]], value, tables)


def _matrix(equations: Sequence[Equation], cells: Sequence[Key]) -> csr_array:
    place = {cell: number for number, cell in enumerate(cells)}
    rows: Longs = np.repeat(np.arange(len(equations)), [len(one.terms) for one in equations])
    columns = [place[cell] for one in equations for cell in one.terms]
    values = [value for one in equations for value in one.terms.values()]
    return csr_array((values, (rows, columns)), shape=(len(equations), len(cells)))


def _find_fixed(matrix: csr_array, constants: Floats) -> Iterator[tuple[int, float]]:
    """Place and value of each cell that cannot move."""
    found = _solve(matrix, constants)
    scale = max(float(np.abs(constants).max()), 1.0)
    if float(np.abs(matrix @ found - constants).max()) > EXACT * scale:
        return
    start = np.random.default_rng(0).normal(size=matrix.shape[1])
    free = start - _solve(matrix, matrix @ start)
    for place in np.flatnonzero(np.abs(free) < FIXED):
        yield int(place), round(float(found[place]), 6)


def _solve(matrix: csr_array, constants: Floats) -> Floats:
    """The shortest vector that fits best."""
    if matrix.shape[1] <= DENSE:
        return np.asarray(np.linalg.lstsq(matrix.toarray(), constants, rcond=None)[0])
    return np.asarray(lsqr(matrix, constants, atol=1e-14, btol=1e-14, iter_lim=10_000)[0])
