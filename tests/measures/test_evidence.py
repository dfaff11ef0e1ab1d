from __future__ import annotations

import polars as pl
import pytest

import microveil as mv
from microveil.app.exploration.axes import parse_axes
from microveil.app.exploration.choosing import cautions_of
from microveil.measures.evidence import no_evidence
from microveil.reports import summarize
from microveil.tables import Table

FRAME = pl.DataFrame(
    {"age": list(range(20, 50)) * 2, "sex": ["f", "m"] * 30, "ill": ["a", "b", "c"] * 20}
)
ROLES = mv.Roles(quasi_identifiers=["age", "sex"], sensitive=["ill"])
SWAP = mv.RankSwap(columns=["age"], range_share=0.2)
PRAM = mv.Pram(columns=["ill"], retention=0.5)
DIVERSE = [mv.LDiversity(l=2, column="ill")]


@pytest.mark.parametrize(
    ("steps", "valid"),
    [
        pytest.param([SWAP], False, id="a key that is perturbed"),
        pytest.param([SWAP, mv.Drop(columns=["age"])], True, id="a key that is gone again"),
        pytest.param([PRAM], True, id="a sensitive column that is perturbed"),
        pytest.param([mv.Pram(columns=["sex"], retention=0.5)], False, id="PRAM of a key"),
        pytest.param([mv.Round(columns=["age"], base=5)], True, id="a key that is coarser"),
    ],
)
def test_compare_explore_and_report_agree_on_what_class_sizes_prove(
    steps: list[mv.Method],
    valid: bool,  # noqa: FBT001  a case
) -> None:
    recipe = mv.Recipe(roles=ROLES, steps=steps, require=DIVERSE)
    release = mv.run(recipe, FRAME, seed=1)
    compared = mv.compare(FRAME, release.table, recipe=recipe, measures=["class_sizes"])
    explored = cautions_of(
        parse_axes("class_sizes", "risk"), [("recipe", recipe)], release.original
    )
    report = summarize(release)
    assert (no_evidence(recipe, release.original) == "") is valid
    assert ("class_sizes" in compared.risk) is valid
    assert ("class_sizes" not in compared.invalid) is valid
    assert (explored == ()) is valid
    assert report.class_sizes_valid is valid
    assert ("individual_risk" in (report.risk_scores or {})) is valid
    assert any("not valid evidence" in one for one in report.cautions) is not valid


def test_requirements_on_perturbed_values_are_cautioned_about() -> None:
    recipe = mv.Recipe(roles=ROLES, steps=[PRAM], require=DIVERSE)
    (caution,) = summarize(mv.run(recipe, FRAME, seed=1)).cautions
    assert "Class sizes stay valid" in caution
    assert "step 1 (pram)" in caution


def test_without_a_recipe_nothing_stands_against_class_sizes() -> None:
    assert no_evidence(None, Table(FRAME)) == ""
