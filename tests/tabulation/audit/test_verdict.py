from __future__ import annotations

import numpy as np

import microveil as mv
from microveil.tabulation.audit import verify_pattern
from microveil.tabulation.knowledge import Knowledge
from tests.tabulation.instances import people

COUNTS = {("a", "f"): 5, ("a", "m"): 2, ("b", "f"): 7, ("b", "m"): 9}


def test_a_pattern_with_a_gap_is_found_out() -> None:
    made = mv.tabulate(people(COUNTS, ["town", "sex"]), mv.Tabulation(by=["town", "sex"]))
    (family,) = made.families
    known = Knowledge.of(family.cells)
    good = verify_pattern(family.cells, family.judged, family.hidden, known)
    assert not good.disclosed.size
    less = family.hidden & family.judged.unsafe
    bad = verify_pattern(family.cells, family.judged, less, known)
    assert [family.cells.codes_of(int(cell)) for cell in bad.disclosed] == ["a × m"]
    none = verify_pattern(family.cells, family.judged, np.zeros_like(less), known)
    assert none.disclosed.size == 1
