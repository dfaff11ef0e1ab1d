"""Spark shows the numbers of an independent recount, as every other surface does."""

from __future__ import annotations

from typing import Any

import pytest

import microveil as mv
from microveil.errors import NotOnSparkError
from tests.conformance.surfaces import Setting, fewer, recount, visits
from tests.conformance.test_surfaces import check_all
from tests.spark.cases import to_spark

FRAME = visits()
pytestmark = pytest.mark.filterwarnings("ignore")  # PySpark's own
CASES = [one for one in fewer() if one.shown and (not one.entity or one.missing == "category")]
"""Rows with and without wildcards, and people, who are counted in memory on every engine."""


@pytest.mark.parametrize(
    "setting",
    [CASES[0], *(pytest.param(one, marks=pytest.mark.slow) for one in CASES[1:])],
    ids=lambda one: one.name,
)
def test_risk_of_a_frame_and_of_its_release(spark: Any, setting: Setting) -> None:
    recipe, there = setting.recipe, to_spark(spark, FRAME)
    try:
        found = mv.assess(there, recipe.roles, missing=setting.missing)
        release: Any = mv.run(recipe, there, seed=1)
    except NotOnSparkError:
        assert setting.entity  # people are counted in memory
        return
    check_all(found.to_dict(), recount(recipe, FRAME))
    local = mv.run(recipe, FRAME, seed=1)
    wanted = recount(recipe, FRAME, local.table.rows, local.table.frame)
    check_all(release.risk_before.to_dict(), recount(recipe, FRAME))
    check_all(release.risk.to_dict(), wanted)
    assert [one.kind for one in release.cautions] == [one.kind for one in local.cautions]
