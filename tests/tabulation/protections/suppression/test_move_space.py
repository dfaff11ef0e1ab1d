from __future__ import annotations

import numpy as np

import microveil as mv
from microveil.kernels.cell_moves.space import find_cell
from microveil.tabulation.cells import Cells
from microveil.tabulation.protections.suppression.move_space import move_space
from tests.tabulation.instances import random_people


def cells_of(*tables: mv.Tabulation, sizes: tuple[int, ...] = (3, 2)) -> Cells:
    frame = random_people(np.random.default_rng(1), sizes, most=4)
    (family,) = mv.tabulate(frame, tables).families
    return family.cells


def test_every_cell_is_found_by_its_nodes() -> None:
    cells = cells_of(mv.Tabulation(by=["v0", "v1"]))
    space = move_space(cells)
    assert space is not None
    keys = space.nodes.astype(np.int64) @ space.strides
    assert [find_cell(space, int(key)) for key in keys] == list(range(cells.n_cells))
    assert find_cell(space, 10**9) == -1


def test_what_stands_below_a_cell_adds_up_to_it() -> None:
    cells = cells_of(mv.Tabulation(by=["v0", "v1"]))
    space = move_space(cells)
    assert space is not None
    for slot in range(2):
        for cell in range(cells.n_cells):
            below = space.children[space.starts[slot, cell] : space.starts[slot, cell + 1]]
            assert (space.parents[slot, below] == cell).all()
            if below.size:
                assert cells.values[below].sum() == cells.values[cell]


def test_tables_with_other_leaves_have_no_space() -> None:
    tree = {"hierarchy": "tree", "tree": {"p": ["a", "b"], "q": ["c", "z"]}}
    other = mv.Tabulation(by=["v0", "v1"], hierarchies={"v0": tree})
    assert move_space(cells_of(mv.Tabulation(by=["v0"]), other)) is None
