from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.app.counted import counted_file
from microveil.release.counted_limits import check_counted_limits, why_not
from microveil.release.limits import check_limits
from microveil.tables import Table

ROLES = mv.Roles(quasi_identifiers=["town", "sex"])
FRAME = pl.DataFrame({"town": ["a", "a", "b", "b", "c"], "sex": ["f", "f", "m", "m", "m"]})


def recipe(limit: dict[str, Any]) -> mv.Recipe:
    return mv.Recipe.parse({"roles": ROLES.to_dict(), "require": [limit]})


@pytest.mark.parametrize("at_most", [0.3, 1.0])
@pytest.mark.parametrize("measure", ["class_sizes", "discernibility"])
def test_a_counted_table_is_checked_like_one_in_memory(
    measure: str, at_most: float, tmp_path: Path
) -> None:
    FRAME.write_parquet(tmp_path / "t.parquet")
    counted = counted_file(tmp_path / "t.parquet", ROLES)
    asked = recipe({"measure": measure, "at_most": at_most})
    table = Table(FRAME, ROLES)
    held: list[float] = []
    found = check_counted_limits(
        asked, table.take(np.array([0])), (counted, counted), {}, lambda n, _: held.append(n)
    )
    whole = check_limits(asked, table, table)
    assert [(one.holds, one.achieved) for one in found] == [
        (one.holds, one.achieved) for one in whole
    ]
    assert held
    assert why_not(asked) is None


def test_a_measure_that_pairs_records_is_refused_with_another() -> None:
    told = why_not(recipe({"measure": "record_linkage", "at_most": 0.1}))
    assert told is not None
    assert "require class_sizes" in told
    streamed = recipe({"measure": "cell_changes", "at_most": 0.1})
    assert "discernibility" in (why_not(streamed) or "")
    assert why_not(streamed, ["cell_changes"]) is None
