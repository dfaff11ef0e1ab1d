"""A limit on a measure is the number of one machine on Spark too, or is refused in a sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import microveil as mv
from microveil.errors import NotOnSparkError
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


def test_every_other_limit_is_refused_in_a_sentence_before_any_work(tmp_path: Path) -> None:
    nothing: Any = None
    for name, measure in _measures(tmp_path).items():
        if name in COUNTED:
            continue
        with pytest.raises(NotOnSparkError) as caught:
            run_on_spark(_recipe("plain", measure), nothing)
        assert f"'{name}'" in caught.value.message
        assert caught.value.message.count(". ") <= 1
        assert "--engine local" in caught.value.message


def test_people_with_several_rows_are_refused_where_rows_are_counted(spark: Any) -> None:
    recipe = recoded.release("types", {"entity": "person"}).recipe
    limited = recipe.model_copy(update={"require": (mv.limit(mv.ClassSizes(), at_most=1),)})
    with pytest.raises(NotOnSparkError, match="entity"):
        run_on_spark(limited, to_spark(spark, recoded.people()))
