"""Limits that compare records: where they can be checked, and on what."""

from __future__ import annotations

from typing import Any

import pytest

import microveil as mv
from microveil.errors import NotOnSparkError
from microveil.spark.comparing import counted_only, number_if_compared, refuse_without_rows
from tests.spark.cases import to_spark
from tests.spark.test_splitting import FRAME, ROLES

COMPARED, COUNTED = mv.limit(mv.RecordLinkage(), at_most=1), mv.limit(mv.ClassSizes(), at_most=1)
RECIPE = mv.Recipe(roles=ROLES, require=[mv.KAnonymity(k=2), COMPARED, COUNTED])


def test_records_that_do_not_fit_are_refused_with_their_size(spark: Any) -> None:
    with pytest.raises(mv.InputError, match=r"'record_linkage' compares .* MiB of the driver's"):
        number_if_compared(RECIPE, to_spark(spark, FRAME), memory_limit=1)


def test_records_are_compared_over_tables_but_not_with_drawn_ones() -> None:
    refuse_without_rows(RECIPE)
    split = mv.Decompose(groups={"one": ["age"], "other": ["pay"]})
    refuse_without_rows(RECIPE.model_copy(update={"steps": (split,)}))
    drawn = RECIPE.model_copy(update={"steps": (mv.Synthesize(),)})
    with pytest.raises(NotOnSparkError, match=r"'record_linkage'.*--engine local"):
        refuse_without_rows(drawn)
    refuse_without_rows(counted_only(drawn))


def test_on_files_only_counted_limits_are_checked() -> None:
    nothing: Any = None
    assert counted_only(RECIPE).require == (RECIPE.require[0], RECIPE.require[2])
    assert number_if_compared(counted_only(RECIPE), nothing, memory_limit=1) is None
