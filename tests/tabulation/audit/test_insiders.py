from __future__ import annotations

import numpy as np

import microveil as mv
from microveil.tabulation.audit import verify_pattern
from microveil.tabulation.knowledge import Knowledge
from tests.tabulation.instances import people

COUNTS = {("a", "f"): 5, ("a", "m"): 1, ("b", "f"): 7, ("b", "m"): 2, ("c", "f"): 8, ("c", "m"): 6}


def test_an_only_contributor_computes_what_an_outsider_cannot() -> None:
    made = mv.tabulate(people(COUNTS, ["town", "sex"]), mv.Tabulation(by=["town", "sex"]))
    (family,) = made.families
    cells = family.cells
    codes = {cells.codes_of(at): at for at in range(cells.n_cells)}
    hidden = np.zeros(cells.n_cells, dtype=np.bool_)
    hidden[[codes[one] for one in ("a × f", "a × m", "b × f", "b × m")]] = True
    known = Knowledge.of(cells)
    outside = verify_pattern(cells, family.judged, hidden, known, insiders=False)
    inside = verify_pattern(cells, family.judged, hidden, known)
    assert not outside.disclosed.size
    assert [cell for cell, _ in inside.insiders] == [codes["b × m"]]
    assert made.holds
    assert family.hidden.sum() > hidden.sum()
