from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.errors import ColumnError, InputError
from microveil.risk.inference import Inference
from tests.risk.attack_data import people


def test_the_secret_of_each_of_the_nearest_counts_alike() -> None:
    original = pl.DataFrame({"town": ["a", "b"], "ill": ["flu", "cough"]})
    released = pl.DataFrame({"town": ["a", "a", "a", "b"], "ill": ["flu", "flu", "none", None]})
    score = Inference(secret="ill").measure(original, released)
    assert score.records is not None
    assert score.records == pytest.approx([2 / 3, 0])
    assert score.parts["baseline"]["rate"] == pytest.approx((2 / 4 + 0) / 2)


def test_a_number_is_right_within_the_tolerance_of_the_truth() -> None:
    original = pl.DataFrame({"town": ["a", "b", "c"], "pay": [100.0, -100.0, 0.0]})
    released = pl.DataFrame({"town": ["a", "b", "c"], "pay": [104.0, -106.0, 0.0]})
    score = Inference(secret="pay", known="town").measure(original, released)
    assert score.records is not None
    assert score.records.tolist() == [1, 0, 1]
    wide = Inference(secret="pay", known="town", tolerance=0.1).measure(original, released)
    assert wide.parts["attack"]["rate"] == 1
    assert wide.parts["baseline"]["rate"] == pytest.approx(1 / 3)


def test_a_missing_secret_is_guessed_by_a_missing_one() -> None:
    frame = pl.DataFrame({"town": ["a", "b"], "pay": [None, 2.0]})
    assert Inference(secret="pay").measure(frame, frame).parts["attack"]["rate"] == 1


def test_a_label_is_worth_a_draw_from_it() -> None:
    original = pl.DataFrame(
        {"town": ["a", "b", "c"], "job": ["nurse", "cook", "cook"], "age": [30, 60, 38]}
    )
    released = pl.DataFrame(
        {
            "town": ["a", "b", "c"],
            "job": ["{nurse, cook}", "*", "*"],
            "age": ["[20, 40]", "60", "[20, 40]"],
        }
    )
    jobs = Inference(secret="job", known="town").measure(original, released)
    assert jobs.records is not None
    assert jobs.records.tolist() == [0.5, 0.5, 0.5]
    for known in (original, original.with_columns(pl.col("age").cast(pl.Float64))):
        ages = Inference(secret="age", known="town").measure(known, released)
        # The label stands for the ages 30 and 38, of which one is within 5 % of either.
        assert ages.records == pytest.approx([0.5, 1, 0.5])


def test_the_worst_of_several_secrets_is_the_score() -> None:
    original, control = people(1, 400), people(2, 400)
    rng = np.random.default_rng(1)
    released = original.with_columns(pl.Series("ill", rng.permutation(original["ill"].to_list())))
    roles = mv.Roles(quasi_identifiers=["height", "weight", "town"], sensitive=["ill", "income"])
    score = Inference().measure(original, released, roles=roles, control=control)
    assert score.parts["secret"] == "income"
    assert score.value == score.parts["secrets"]["income"]["risk"]
    assert score.parts["secrets"]["ill"]["interval"][0] == 0
    assert set(score.parts["known"]["ill"]) <= {"height", "weight", "town"}


def test_what_statistics_tell_of_anybody_is_no_risk_beside_a_control() -> None:
    frames = [
        pl.DataFrame({"x": x, "double": 2 * x})
        for x in (np.random.default_rng(s).normal(100, 30, 600) for s in (1, 2, 3))
    ]
    alone = Inference(secret="double").measure(frames[0], frames[1])
    beside = Inference(secret="double").measure(frames[0], frames[1], control=frames[2])
    assert alone.value > 0.9
    assert beside.interval is not None
    assert beside.interval[0] == 0


def test_something_must_be_known() -> None:
    lone = pl.DataFrame({"x": [1, 2]})
    with pytest.raises(InputError, match="at least one other column"):
        Inference(secret="x").measure(lone, lone)
    with pytest.raises(ColumnError, match="'y'"):
        Inference(secret="y").measure(lone, lone)
