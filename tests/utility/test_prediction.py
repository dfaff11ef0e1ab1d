from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import microveil as mv
from microveil.errors import InputError
from microveil.utility.prediction import Prediction
from tests.utility.cases import people


def test_models_of_the_course_s_kind_disagree_more_with_more_noise() -> None:
    frame = people(800, 10)
    losses = []
    for share in (0.01, 1.0):
        after = mv.AdditiveNoise(columns=["age", "pay"], sd_share=share).protect(frame, seed=1)
        losses.append(Prediction(target="ill").measure(frame, after).value)
    assert losses[0] < losses[1]
    assert losses[0] < 0.15


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


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1))
def test_precision_recall_and_f1_are_scikit_learn_s(pairs: list[tuple[str, str]]) -> None:
    from sklearn.metrics import precision_recall_fscore_support

    from microveil.utility.prediction import _qualities

    truth, guess = (np.array(side) for side in zip(*pairs, strict=True))
    expected = precision_recall_fscore_support(truth, guess, average="macro", zero_division=0)
    found = _qualities(truth, guess, "after")
    assert list(found) == ["precision_after", "recall_after", "f1_after"]
    assert list(found.values()) == pytest.approx(list(expected[:3]))


def test_the_parts_of_a_prediction_have_the_qualities_of_both_models() -> None:
    people = {"age": list(range(60)), "ill": ["no"] * 30 + ["yes"] * 30}
    parts = Prediction(target="ill").measure(people, people).parts
    assert parts["precision_before"] == parts["precision_after"] > 0.5
    assert {"recall_after", "f1_before"} <= set(parts)
