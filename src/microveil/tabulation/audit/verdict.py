"""The verdict on a pattern: which unsafe cells can be computed too closely, and by whom."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import sparse

from microveil.arrays import Flags, Floats, Longs
from microveil.progress import Progress, silent
from microveil.tabulation.audit.insiders import find_insiders
from microveil.tabulation.audit.programs import TOLERANCE, Intervals, Intruder
from microveil.tabulation.audit.witnesses import check_witnesses, farthest_moves
from microveil.tabulation.cells import Cells
from microveil.tabulation.knowledge import Knowledge
from microveil.tabulation.rules import Judgement

MOST_WORK = 4_000_000
"""Unsafe times suppressed cells up to which every interval is computed exactly."""


class Verdict(NamedTuple):
    """What the audit found."""

    intervals: Intervals
    disclosed: Longs
    """Unsafe cells that someone can compute too closely."""
    insiders: tuple[tuple[int, int], ...] = ()
    """Cells that the only contributor of others can compute exactly, each with that contributor."""


def verify_pattern(
    cells: Cells,
    judged: Judgement,
    hidden: Flags,
    known: Knowledge,
    witnesses: sparse.csr_array | None = None,
    *,
    insiders: bool = True,
    progress: Progress = silent,
) -> Verdict:
    """Find what an outsider, and each only contributor of a cell, can compute.

    ``witnesses`` are proposals of other tables that agree with what is published. Each is checked;
    a solver is asked only for cells that no witness shows to be safe, or for all of a small table.
    """
    unsafe = np.flatnonzero(judged.unsafe)
    n = cells.n_cells
    given = sparse.csr_array((0, n)) if witnesses is None else witnesses
    true = check_witnesses(cells.system, hidden, given, known.floor, known.ceiling)
    down, up = farthest_moves(true)
    intruder = Intruder(cells.system, hidden, known.floor, known.ceiling)
    lower, upper = cells.values[unsafe] + down[unsafe], cells.values[unsafe] + up[unsafe]
    exact = len(unsafe) * int(hidden.sum()) <= MOST_WORK
    ask = hidden[unsafe] & (exact | is_narrow(cells, judged, known, unsafe, lower, upper))
    asked = np.flatnonzero(ask)
    asked = asked[np.argsort(intruder.part_of(unsafe[asked]), kind="stable")]
    for n_done, at in enumerate(asked.tolist()):
        ends = intruder.ends(int(unsafe[at]))
        lower[at], upper[at] = min(lower[at], ends.lower), max(upper[at], ends.upper)
        progress(n_done + 1, len(asked), "Auditing cells")
    found = Intervals(unsafe, lower, upper, exact=exact)
    narrow = ~hidden[unsafe] | is_narrow(cells, judged, known, unsafe, lower, upper)
    disclosed = set(unsafe[narrow].tolist())
    inside = sorted(find_insiders(cells, judged.unsafe, hidden, true, intruder)) if insiders else []
    disclosed |= {cell for cell, _ in inside}
    return Verdict(found, np.array(sorted(disclosed), dtype=np.int64), tuple(inside))


def is_narrow(
    cells: Cells, judged: Judgement, known: Knowledge, at: Longs, lower: Floats, upper: Floats
) -> Flags:
    """Whether intervals do not reach as far as they must, or hold a single possible number."""
    values = cells.values[at]
    error = TOLERANCE * np.maximum(1.0, np.abs(values))
    low = np.maximum(values - judged.lower[at], known.floor[at])
    high = np.minimum(values + judged.upper[at], known.ceiling[at])
    whole = bool((cells.values == np.round(cells.values)).all())
    width = (1.0 - error) if whole else error
    return np.asarray((upper < high - error) | (lower > low + error) | (upper - lower <= width))
