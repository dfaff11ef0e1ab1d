"""The map has the sweep's front as a line, and a point for each recipe on offer."""

from __future__ import annotations

import pytest

from microveil.studies.advise.figures import fronts_map
from microveil.studies.advise.study import compare_with_sweep, front_of
from tests.studies.advise.test_study import SWEPT, _found

pytest.importorskip("altair")


def test_both_fronts_are_on_one_map() -> None:
    offered = compare_with_sweep([_found(0.2, 0.1, "safest")], SWEPT)
    drawn = fronts_map(offered, front_of(SWEPT)).to_dict()
    sets = sorted(drawn["datasets"].values(), key=len)
    assert [len(rows) for rows in sets] == [2, 3]
    assert {row["of"] for row in sets[1]} == {"the sweep's front", "safest"}
