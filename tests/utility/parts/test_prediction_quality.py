"""Qualities of predictions are scikit-learn's, and their errors those of repeated draws."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.utility.parts.prediction_quality import (
    accuracy,
    class_qualities,
    fall,
    r_squared,
    separation,
)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1))
def test_precision_recall_and_f1_are_scikit_learn_s(pairs: list[tuple[str, str]]) -> None:
    from sklearn.metrics import precision_recall_fscore_support

    truth, guess = (np.array(side) for side in zip(*pairs, strict=True))
    expected = precision_recall_fscore_support(truth, guess, average="macro", zero_division=0)
    found = class_qualities(truth, guess, "after")
    assert list(found) == ["precision_after", "recall_after", "f1_after"]
    assert list(found.values()) == pytest.approx(list(expected[:3]))


def test_the_area_is_scikit_learn_s_weighted_by_classes() -> None:
    from sklearn.metrics import roc_auc_score

    rng = np.random.default_rng(1)
    truth = rng.choice(["a", "b", "c"], 200)
    chances = rng.dirichlet([1, 1, 1], 200).round(2)
    found = separation(truth, np.array(["a", "b", "c"]), chances)
    expected = [
        (truth == kind).mean() * roc_auc_score(truth == kind, chances[:, place])
        for place, kind in enumerate("abc")
    ]
    assert found.value == pytest.approx(sum(expected))
    assert separation(truth[:0], np.array(["a"]), np.zeros((0, 1))).value == 0.5


def test_r_squared_is_scikit_learn_s_and_never_below_that_of_the_mean() -> None:
    from sklearn.metrics import r2_score

    rng = np.random.default_rng(2)
    y = rng.normal(size=300)
    guess = y + rng.normal(size=300) / 2
    assert r_squared(y, guess).value == pytest.approx(r2_score(y, guess))
    assert r_squared(y, -guess).value == 0
    assert r_squared(np.ones(5), np.ones(5)).value == 0


@pytest.mark.parametrize("kind", ["auc", "accuracy", "r_squared"])
def test_the_interval_covers_what_repeated_draws_of_records_give(kind: str) -> None:
    rng = np.random.default_rng(3)
    falls, reaches = [], []
    for _ in range(400):
        y = rng.normal(size=150)
        one, other = (y + spread * rng.normal(size=150) for spread in (0.6, 1.2))
        if kind == "r_squared":
            sides = [r_squared(y, one / 1.36), r_squared(y, other / 2.44)]
        elif kind == "accuracy":
            sides = [accuracy(y > 0, side > 0) for side in (one, other)]
        else:
            sides = [
                separation(y > 0, np.array([False, True]), np.column_stack([-side, side]))
                for side in (one, other)
            ]
        value, (low, high) = fall(*sides)
        falls.append(value)
        reaches.append((high - low) / 2)
    assert np.mean(reaches) == pytest.approx(1.96 * np.std(falls), rel=0.2)
