"""Values that were sorted on disk are laid beside the rows of each part, in their order."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.errors import FileError
from microveil.planning.moved_plan import MovedPlan
from microveil.planning.sorting import Sorter

FRAME = pl.DataFrame({"x": [1, 2, None, 4], "y": list("abcd"), "z": [1.5, 2.5, 3.5, 4.5]})
RNG = np.random.default_rng(0)


@pytest.fixture
def plan(tmp_path: Path) -> MovedPlan:
    sorter = Sorter(tmp_path, 2**28)
    new = FRAME.select(x=pl.Series([2, 1, None, 4]), z=pl.col("z").reverse())
    moved = tuple(sorter.keep([new.select(name)], new.select(name).schema) for name in ("x", "z"))
    return MovedPlan(mv.Permute(columns=["x", "z"]), 0, ("x", "z"), moved, {"n_alone": 7})


@pytest.mark.parametrize("sizes", [(4,), (1, 3), (2, 0, 2)])
def test_each_part_has_the_values_of_its_rows(plan: MovedPlan, sizes: tuple[int, ...]) -> None:
    state, start, found = plan.start(), 0, []
    facts: Mapping[str, Any] = {}
    for size in sizes:
        done = plan.protect(mv.Table(FRAME.slice(start, size)), RNG, state)
        found.append(done.table.frame)
        facts = plan.merge_facts(facts, done.facts)
        start += size
    after = pl.concat(found)
    assert after["x"].to_list() == [2, 1, None, 4]
    assert after["z"].to_list() == [4.5, 3.5, 2.5, 1.5]
    assert after["y"].to_list() == list("abcd")
    # Cells are counted in each part and added; what was told beforehand is not added up.
    assert facts == {"n_changed": {"x": 2, "z": 4}, "n_missing": {"x": 1, "z": 0}, "n_alone": 7}


def test_rows_that_were_not_sorted_are_an_error(plan: MovedPlan) -> None:
    state = plan.start()
    plan.protect(mv.Table(FRAME), RNG, state)
    with pytest.raises(FileError, match="changed while they were read"):
        plan.protect(mv.Table(FRAME.head(1)), RNG, state)
    assert (plan.kind, plan.opaque, plan.sequential) == ("sorted on disk", True, True)
