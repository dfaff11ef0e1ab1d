from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from scipy import stats

import microveil as mv

ROLES = "roles: {quasi_identifiers: [age, town], sensitive: [ill]}\n"
CODED = ROLES + (
    "steps: [{method: generalize, column: age, level: 1, "
    "hierarchy: {hierarchy: intervals, width: 10}}, {method: suppress_records, k: 3}]\n"
)
GONE = ROLES + (
    "steps: [{method: generalize, column: age, level: 1, "
    "hierarchy: {hierarchy: intervals, width: 200}}]\n"
)
NOISE = ROLES + "steps: [{method: additive_noise, columns: [age], sd_share: 0.1}]\n"


def people(n: int = 300) -> pl.DataFrame:
    rng = np.random.default_rng(3)
    age = rng.integers(20, 80, n)
    return pl.DataFrame(
        {
            "age": age,
            "town": rng.choice(["a", "b"], n),
            "ill": np.where(age + rng.normal(0, 4, n) > 50, "yes", "no"),
        }
    )


def test_what_says_nothing_predicts_nothing() -> None:
    found = mv.cross_validate(mv.Recipe.from_yaml(GONE), people(), "ill", folds=3)
    guess = max(people()["ill"].value_counts()["count"]) / 300
    assert found.loss == pytest.approx(np.mean(found.before) - guess, abs=0.1)
    assert found.interval()[0] > 0.2


def test_mild_coding_costs_little_and_the_interval_is_the_corrected_one() -> None:
    found = mv.cross_validate(mv.Recipe.from_yaml(CODED), people(), "ill", folds=3, repeats=2)
    low, high = found.interval()
    assert low < 0.05 < high + 0.2
    falls = np.subtract(found.before, found.after)
    width = stats.t.ppf(0.975, 5) * np.sqrt(falls.var(ddof=1) * (1 / 6 + 1 / 2))
    assert (low, high) == pytest.approx((falls.mean() - width, falls.mean() + width))
    assert 0 <= found.removed_share < 0.2
    assert found.to_dict()["loss"] == found.loss
    assert "interval" in repr(found)


@pytest.mark.parametrize("frame_kind", ["polars", "pandas"])
def test_noise_is_tried_on_originals_with_ones_own_model(frame_kind: str) -> None:
    pipeline = pytest.importorskip("sklearn.pipeline")
    from sklearn.compose import make_column_transformer
    from sklearn.linear_model import LogisticRegression

    model = pipeline.make_pipeline(
        make_column_transformer(("passthrough", ["age"])), LogisticRegression()
    )
    frame = people() if frame_kind == "polars" else people().to_pandas()
    found = mv.cross_validate(
        mv.Recipe.from_yaml(NOISE), frame, "ill", estimator=model, test="original", folds=3
    )
    assert abs(found.loss) < 0.05


def test_rows_of_a_person_stay_together() -> None:
    """A model that remembers people would be right about all of them if their rows were split."""
    rng = np.random.default_rng(0)
    person = np.repeat(np.arange(60), 5)
    frame = pl.DataFrame(
        {"person": person, "mark": person.astype(float), "ill": rng.integers(0, 2, 60)[person]}
    )
    recipe = mv.Recipe.from_yaml(
        "roles: {entity: person, insensitive: [mark], sensitive: [ill]}\nsteps: []\nkeep: [person]"
    )
    found = mv.cross_validate(recipe, frame, "ill", folds=4)
    assert np.mean(found.before) < 0.75
    apart = mv.Recipe.from_yaml("roles: {insensitive: [person, mark, ill]}\nsteps: []")
    assert np.mean(mv.cross_validate(apart, frame, "ill", folds=4).before) > 0.9


def test_numbers_are_regressed() -> None:
    frame = people().with_columns(pay=pl.col("age") * 100.0)
    recipe = mv.Recipe.from_yaml(CODED + "undeclared: keep")
    found = mv.cross_validate(recipe, frame, "pay", folds=3)
    assert found.scoring == "r2"
    assert min(found.before) > min(found.after) > 0.5


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"target": "nothing"}, "nothing"),
        ({"scoring": "charm"}, "scikit-learn"),
        ({"folds": 1}, "two folds"),
        ({"folds": 299}, "fewer folds"),
        ({"target": "age"}, "recodes the target"),
    ],
)
def test_bad_input_gets_one_sentence(more: dict[str, object], sentence: str) -> None:
    options = {"target": "ill", **more}
    with pytest.raises(mv.InputError, match=sentence):
        mv.cross_validate(mv.Recipe.from_yaml(CODED), people(), **options)  # type: ignore[arg-type]
