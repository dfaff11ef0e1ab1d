from __future__ import annotations

from typing import Literal

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.errors import InputError
from microveil.utility.prediction import Prediction
from tests.utility.cases import people


@pytest.mark.parametrize("quality", ["auc", "accuracy"])
def test_a_model_of_noisy_records_predicts_worse_and_a_little_noise_costs_nothing(
    quality: Literal["auc", "accuracy"],
) -> None:
    frame = people(800, 10)
    losses = []
    for share in (0.05, 3.0):
        after = mv.AdditiveNoise(columns=["age", "pay"], sd_share=share).protect(frame, seed=1)
        losses.append(Prediction(target="ill", quality=quality).measure(frame, after))
    assert losses[0].value < 0.01
    assert losses[0].interval is not None
    assert losses[0].interval[0] == 0
    assert losses[1].value > losses[0].value
    assert losses[1].parts["disagreement"] > losses[0].parts["disagreement"]


def test_a_rare_class_that_is_lost_shows_in_the_area_not_in_the_accuracy() -> None:
    rng = np.random.default_rng(4)
    x = rng.normal(size=(2000, 4))
    ill = x.sum(axis=1) + rng.normal(size=2000) > 4
    frame = pl.DataFrame(x).with_columns(y=np.where(ill, "ill", "well"))
    torn = [frame.with_columns(pl.col("y").shuffle(seed=seed)) for seed in range(3)]
    # A model of noise may point in the right direction by chance, but not every time.
    assert np.mean([Prediction(target="y").measure(frame, one).value for one in torn]) > 0.1
    assert Prediction(target="y", quality="accuracy").measure(frame, torn[0]).value < 0.05


def test_a_target_with_many_classes_is_predicted_by_its_frequent_ones() -> None:
    frame = people(600, 3).with_columns(town=pl.Series([f"t{i % 60}" for i in range(600)]))
    parts = Prediction(target="town").measure(frame, frame).parts
    assert parts["auc_change"] == 0
    assert parts["accuracy_before"] > 0.5  # the other forty are one class


@pytest.mark.parametrize("model", ["tree", "boosting", "forest", "logistic"])
@pytest.mark.parametrize("target", ["ill", "pay"])
def test_a_table_learnt_twice_predicts_the_same(model: str, target: str) -> None:
    frame = people(300, 11)
    score = Prediction.parse({"model": model, "target": target}).measure(frame, frame)
    assert score.value == 0
    good = score.parts.get("accuracy_before", score.parts.get("r_squared_before"))
    assert good > 0.5


def test_a_destroyed_target_is_noticed() -> None:
    frame = people(800, 12)
    after = frame.with_columns(pl.col("ill").shuffle(seed=1), pl.col("pay").shuffle(seed=2))
    parts = Prediction(target="ill").measure(frame, after).parts
    assert parts["accuracy_change"] < -0.15
    parts = Prediction(target="pay").measure(frame, after).parts
    assert parts["r_squared_change"] < -0.4


def test_held_out_records_are_not_learnt_from() -> None:
    rng = np.random.default_rng(0)
    frame = pl.DataFrame({"id": np.arange(400), "y": rng.choice(["a", "b"], 400)})
    parts = Prediction(target="y", columns="id").measure(frame, frame).parts
    assert parts["accuracy_before"] < 0.7


def test_what_prediction_needs_is_said() -> None:
    frame = people(40, 1)
    with pytest.raises(InputError, match="target"):
        Prediction().measure(frame, frame)
    with pytest.raises(InputError, match="10 records"):
        Prediction(target="ill").measure(frame.head(5), frame.tail(5))
    with pytest.raises(InputError, match="must hold numbers"):
        Prediction(target="ill", task="regression").measure(frame, frame)


def test_the_parts_of_a_prediction_have_the_qualities_of_both_models() -> None:
    people = {"age": list(range(60)), "ill": ["no"] * 30 + ["yes"] * 30}
    parts = Prediction(target="ill").measure(people, people).parts
    assert parts["precision_before"] == parts["precision_after"] > 0.5
    assert {"recall_after", "f1_before"} <= set(parts)
