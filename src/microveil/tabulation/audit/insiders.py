"""Insiders: the only contributor of a cell knows it, and sees more than the others."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from microveil.arrays import Flags, Longs
from microveil.tabulation.audit.programs import TOLERANCE, Intruder
from microveil.tabulation.cells import Cells

MOST_KEPT = 200_000
"""Witnesses whose owners are remembered."""
FAINT = 1e-7
"""Deviations below this are noise of the solver."""


def find_insiders(
    cells: Cells,
    unsafe: Flags,
    hidden: Flags,
    witnesses: sparse.csr_array,
    intruder: Intruder,
) -> set[tuple[int, int]]:
    """Unsafe cells that the only contributor of some other cells can compute exactly, and who.

    A witness that moves a cell, but none of a contributor's own, shows that this contributor cannot
    know it. Only for those who own cells in every witness of a cell a solver is asked.
    """
    owned = _owned_cells(cells, hidden)
    if not owned:
        return set()
    sole = np.where(hidden, cells.sole, -1)
    by_cell = witnesses.tocsc()
    owners_of: dict[int, frozenset[int]] = {}
    found: set[tuple[int, int]] = set()
    for cell in np.flatnonzero(unsafe & hidden).tolist():
        suspects = _suspects(cell, by_cell, witnesses, sole, owners_of)
        if suspects is None:
            suspects = _owners_in_part(cell, intruder, sole)
        suspects -= {int(cells.sole[cell]), int(cells.whole[cell])}
        while suspects:
            owner = min(suspects)
            ends = intruder.ends(cell, owned[owner])
            if ends.upper - ends.lower <= TOLERANCE * max(1.0, abs(cells.values[cell])):
                found.add((cell, owner))
                suspects.discard(owner)
                continue
            members = intruder.members(int(intruder.part_of(np.array([cell]))[0]))
            for moves in ends.moves:
                at = members[np.abs(moves) > FAINT] if len(moves) else members
                suspects &= set(sole[at].tolist()) | (set() if cell in at else suspects)
            suspects -= {owner}
    return found


def _owned_cells(cells: Cells, hidden: Flags) -> dict[int, list[int]]:
    """The suppressed cells to which only one contributor adds, by contributor."""
    owned: dict[int, list[int]] = {}
    for cell in np.flatnonzero(hidden & (cells.sole >= 0)).tolist():
        owned.setdefault(int(cells.sole[cell]), []).append(cell)
    return owned


def _suspects(
    cell: int,
    by_cell: sparse.csc_array,
    witnesses: sparse.csr_array,
    sole: Longs,
    owners_of: dict[int, frozenset[int]],
) -> set[int] | None:
    """Who owns cells in every witness that moves a cell; None if no witness moves it."""
    left: set[int] | None = None
    for row in by_cell.indices[by_cell.indptr[cell] : by_cell.indptr[cell + 1]].tolist():
        if row not in owners_of:
            if len(owners_of) > MOST_KEPT:
                owners_of.clear()
            moved = witnesses.indices[witnesses.indptr[row] : witnesses.indptr[row + 1]]
            owners_of[row] = frozenset(sole[moved].tolist()) - {-1}
        mine = owners_of[row] - {int(sole[cell])}
        left = set(mine) if left is None else left & mine
        if not left:
            return left
    return left


def _owners_in_part(cell: int, intruder: Intruder, sole: Longs) -> set[int]:
    part = int(intruder.part_of(np.array([cell]))[0])
    if part < 0:
        return set()
    return set(sole[intruder.members(part)].tolist()) - {-1}
