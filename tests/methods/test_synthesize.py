from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.recipes import recipe_schema


def people(n: int = 300) -> pl.DataFrame:
    rng = np.random.default_rng(0)
    age = rng.integers(18, 80, n)
    return pl.DataFrame(
        {
            "sex": rng.choice(["f", "m"], n),
            "age": age,
            "pay": (age * 100 + rng.normal(0, 300, n)).round(),
        }
    )


ROLES = mv.Roles(quasi_identifiers=["sex", "age"], sensitive=["pay"])


def test_a_generator_is_named_alone_or_with_its_parameters() -> None:
    short = mv.Recipe.from_yaml("steps: [{method: synthesize, generator: copula}]")
    assert short.steps == (mv.Synthesize(generator=mv.Copula()),)
    text = "steps: [{method: synthesize, generator: {generator: cart, least_leaf: 30}}]"
    long = mv.Recipe.from_yaml(text)
    assert long.steps == (mv.Synthesize(generator=mv.Cart(least_leaf=30)),)
    assert mv.Recipe.from_yaml(long.to_yaml()) == long
    with pytest.raises(mv.InputError, match=r"steps\.0\.synthesize\.generator"):
        mv.Recipe.from_yaml("steps: [{method: synthesize, generator: copla}]")


def test_the_schema_lists_every_generator() -> None:
    text = json.dumps(recipe_schema())
    assert all(f'"const": "{name}"' in text for name in mv.GENERATORS.classes)


def test_synthetic_rows_are_nobodys() -> None:
    recipe = mv.Recipe(roles=ROLES, steps=[mv.Synthesize()])
    release = mv.run(recipe, people(), seed=1)
    assert release.rows is None
    assert release.n_suppressed == 0
    assert release.table.synthetic
    comparison = mv.compare(release.original, release)
    assert "record_linkage" in comparison.skipped
    assert "record_linkage" not in comparison.risk
    assert "replicated_uniques" in comparison.risk
    with pytest.raises(mv.InputError, match="belong to nobody"):
        mv.RecordLinkage().measure(release.original, release)


def test_partially_synthetic_rows_are_still_the_originals() -> None:
    recipe = mv.Recipe(roles=ROLES, steps=[mv.Synthesize(columns=["pay"])])
    release = mv.run(recipe, people(), seed=1)
    assert not release.table.synthetic
    assert "record_linkage" in mv.compare(release.original, release).risk


def test_more_records_than_the_original_can_be_released_and_reduced_again() -> None:
    steps = [mv.Synthesize(n=900), mv.Sample(share=0.5)]
    recipe = mv.Recipe(roles=ROLES, steps=steps)
    release = mv.run(recipe, people().to_pandas(), seed=1)
    assert len(release.data) == 450
    assert release.data.index.tolist() == list(range(450))


def test_copies_are_parts_of_the_release(tmp_path: object) -> None:
    recipe = mv.Recipe(roles=ROLES, steps=[mv.Synthesize(copies=3)])
    release = mv.run(recipe, people(), seed=1)
    assert list(release.parts) == ["copy_2", "copy_3"]
    assert release.parts["copy_2"].height == 300
    assert not release.parts["copy_2"].equals(release.parts["copy_3"])
    release.write(f"{tmp_path}/out.csv")
    assert mv.read(f"{tmp_path}/out.copy_3.csv").height == 300


def test_requirements_are_never_left_unchecked_on_a_copy() -> None:
    recipe = mv.Recipe(roles=ROLES, steps=[mv.Synthesize(copies=2)], require=[mv.KAnonymity(k=2)])
    with pytest.raises(mv.InputError, match="not on further copies"):
        mv.run(recipe, people(), seed=1)


def test_facts_count_copies_and_hold_no_model() -> None:
    recipe = mv.Recipe(roles=ROLES, steps=[mv.Synthesize()])
    facts = mv.run(recipe, people(), seed=1).facts[0].to_dict()
    assert facts["generator"] == "cart"
    assert 0 <= facts["equal_share"] <= 1
    assert {"equal_share_by_chance", "n_replicated_uniques"} <= set(facts)
    assert json.loads(json.dumps(facts)) == facts


def test_a_recipe_with_every_option_survives_yaml_and_runs() -> None:
    text = """
    roles: {quasi_identifiers: [sex, age], sensitive: [pay]}
    steps:
      - method: synthesize
        generator: {generator: cart, order: [age], predictors: {sex: [age]}}
        rules:
          - {when: age < 30, then: {sex: f}}
          - {must: pay > 0}
        structural_zeros: [[sex, age]]
        replicated_uniques: remove
    """
    recipe = mv.Recipe.from_yaml(text)
    assert mv.Recipe.from_yaml(recipe.to_yaml()) == recipe
    frame = people().with_columns(
        sex=pl.when(pl.col("age") < 30).then(pl.lit("f")).otherwise("sex")
    )
    data = mv.run(recipe, frame, seed=1).data
    assert data.filter(pl.col("age") < 30)["sex"].unique().to_list() == ["f"]
    assert (data["pay"] > 0).all()


def test_the_report_is_written(tmp_path: object) -> None:
    release = mv.run(mv.Recipe(roles=ROLES, steps=[mv.Synthesize()]), people(), seed=1)
    page = release.report(f"{tmp_path}/report.html").read_text()
    assert "synthesize" in page
