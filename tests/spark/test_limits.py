"""A limit on a measure is the number of one machine on Spark too, or is refused in a sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import microveil as mv
from microveil.spark import run_on_spark
from tests.conformance import recoded
from tests.spark.cases import to_spark

COUNTED = (
    "class_sizes",
    "individual_risk",
    "reidentification_risk",
    "population_risk",
    "special_uniques",
    "key_separation",
    "attribute_disclosure",
    "discernibility",
    "average_class_size",
    "table_counts",
    "distribution_distance",
    "outside_linkage",
)
SETTINGS: dict[str, Any] = {
    "plain": {},
    "weight": {"weight": "w"},
    "scenarios": {"scenarios": {"office": ["job", "zip"]}},
    "wildcard": {"missing": "wildcard"},
}


def _recipe(setting: str, *measures: Any) -> mv.Recipe:
    recipe = recoded.release("types", SETTINGS[setting]).recipe
    limits = tuple(mv.limit(one, at_most=1e9) for one in measures)
    return recipe.model_copy(update={"require": limits})


def _measures(folder: Path) -> dict[str, Any]:
    every = recoded.measures(folder, quick=True)
    named = {"columns": ("age", "job")}
    some = ("table_counts", "distribution_distance")
    return every | {name: every[name].model_copy(update=named) for name in some}


@pytest.mark.parametrize(
    "setting",
    [one if one == "plain" else pytest.param(one, marks=pytest.mark.slow) for one in SETTINGS],
)
@pytest.mark.filterwarnings("ignore")
def test_a_limit_that_counts_suffice_for_is_the_number_of_one_machine(
    setting: str, spark: Any, tmp_path: Path
) -> None:
    every = _measures(tmp_path)
    recipe = _recipe(setting, *(every[name] for name in COUNTED))
    found = run_on_spark(recipe, to_spark(spark, recoded.people()), seed=1).checks
    local = mv.run(recipe, recoded.people(), seed=1).checks
    told = [(one.model, one.scenario, one.sentence()) for one in found]
    assert told == [(one.model, one.scenario, one.sentence()) for one in local]


def _check_as_local(recipe: mv.Recipe, spark: Any) -> None:
    """The frame has one partition, so its rows are in the order of one machine's."""
    there = run_on_spark(recipe, to_spark(spark, recoded.people(), 1), seed=1)
    assert there.table.columns == mv.run(recipe, recoded.people(), seed=1).table.columns
    local = mv.run(recipe, recoded.people(), seed=1).checks
    told = [(one.model, one.scenario, one.sentence()) for one in there.checks]
    assert told == [(one.model, one.scenario, one.sentence()) for one in local]


@pytest.mark.filterwarnings("ignore")
def test_some_limits_that_compare_records_are_the_numbers_of_one_machine(
    spark: Any, tmp_path: Path
) -> None:
    every = _measures(tmp_path)
    some = ("record_linkage", "cell_changes")
    _check_as_local(_recipe("plain", *(every[name] for name in some)), spark)


@pytest.mark.slow
@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.filterwarnings("ignore")
def test_every_limit_that_compares_records_is_the_number_of_one_machine(
    setting: str, spark: Any, tmp_path: Path
) -> None:
    others = [one for name, one in _measures(tmp_path).items() if name not in COUNTED]
    _check_as_local(_recipe(setting, *others), spark)


@pytest.mark.filterwarnings("ignore")
def test_people_with_several_rows_are_counted_as_on_one_machine(spark: Any) -> None:
    recipe = recoded.release("types", {"entity": "person"}).recipe
    limited = recipe.model_copy(update={"require": (mv.limit(mv.ClassSizes(), at_most=1),)})
    _check_as_local(limited, spark)
