from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import microveil as mv
from tests.tabulation.instances import people

COUNTS = {("a", "f"): 5, ("a", "m"): 1, ("b", "f"): 7, ("b", "m"): 9, ("c", "f"): 4, ("c", "m"): 8}


def test_nothing_is_shown_while_a_cell_can_be_computed() -> None:
    made = mv.tabulate(people(COUNTS, ["town", "sex"]), mv.Tabulation(by=["town", "sex"]))
    assert made.holds
    (family,) = made.families
    broken = replace(made, families=(replace(family, disclosed=np.array([0])),))
    assert not broken.holds
    with pytest.raises(mv.RequirementNotMetError, match="nothing is released"):
        _ = broken.frames
    assert "nothing may be published" in repr(broken)


def test_facts_and_intervals_are_those_of_the_cells() -> None:
    made = mv.tabulate(people(COUNTS, ["town", "sex"]), mv.Tabulation(by=["town", "sex"]))
    (facts,) = made.facts
    assert facts["n_cells"] == 12
    assert facts["n_published"] == 12 - facts["n_unsafe"] - facts["n_secondary"]
    audit = made.audit_frame()
    assert audit["cell"].to_list() == ["a × m"]
    assert audit["lower"][0] < 1 < audit["upper"][0]
