from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from microveil.risk.attacks.classifier import RIDGE, _fitted_scores
from microveil.statistics.logistic import logistic_regression
from microveil.utility.propensity import Propensity

Floats = NDArray[np.float64]


def two_classes(n: int = 400, seed: int = 5) -> tuple[Floats, Floats]:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 3))
    y = (x @ [1.0, -2.0, 0.5] + rng.logistic(size=n) > 0.7).astype(float)
    return x, y


def test_it_is_the_maximum_of_the_likelihood() -> None:
    linear = pytest.importorskip("sklearn.linear_model")
    x, y = two_classes()
    peer = linear.LogisticRegression(C=1e10, tol=1e-10, max_iter=1000).fit(x, y)
    found = logistic_regression(x, y)
    assert found.chances(x) == pytest.approx(peer.predict_proba(x)[:, 1], abs=1e-4)


def test_weights_and_the_ridge_are_those_of_a_peer() -> None:
    linear = pytest.importorskip("sklearn.linear_model")
    x, y = two_classes()
    weights = np.random.default_rng(1).integers(1, 5, len(y)).astype(float)
    peer = linear.LogisticRegression(C=1 / (0.05 * len(y)), tol=1e-10, max_iter=1000)
    peer.fit(x, y, sample_weight=weights)
    found = logistic_regression(x, y, weights=weights, ridge=0.05)
    assert found.coefficients[1:] == pytest.approx(peer.coef_[0], abs=1e-4)
    assert found.coefficients[0] == pytest.approx(peer.intercept_[0], abs=1e-4)
    repeated = logistic_regression(np.repeat(x, 3, axis=0), np.repeat(y, 3))
    assert repeated.coefficients == pytest.approx(
        logistic_regression(x, y, weights=np.full(len(y), 3.0)).coefficients
    )


def test_collinear_columns_share_their_effect() -> None:
    x, y = two_classes()
    twice = np.column_stack([x, x[:, 0], x[:, 1] + x[:, 2]])
    found = logistic_regression(twice, y).chances(twice)
    assert found == pytest.approx(logistic_regression(x, y).chances(x), abs=1e-6)


def test_classes_told_apart_without_error_end_next_to_certainty() -> None:
    x = np.linspace(-1, 1, 50)[:, None]
    y = (x[:, 0] > 0).astype(float)
    chances = logistic_regression(x, y).chances(x)
    assert ((chances > 0.5) == (y > 0)).all()
    assert np.abs(chances - y).max() < 0.05


@pytest.mark.parametrize("only", [0.0, 1.0])
def test_one_class_alone_is_certain(only: float) -> None:
    x = np.random.default_rng(0).normal(size=(10, 2))
    assert logistic_regression(x, np.full(10, only)).chances(x) == pytest.approx(only, abs=1e-9)


def test_both_measures_fit_the_same_regression() -> None:
    x, y = two_classes()
    x = (x - x.mean(axis=0)) / x.std(axis=0)
    share = y.mean()
    weights = np.where(y > 0, 0.5 / share, 0.5 / (1 - share))
    everybody = np.ones(len(y), dtype=np.bool_)
    ours = _fitted_scores(x, y > 0, everybody)
    assert ours == pytest.approx(
        logistic_regression(x, y, weights=weights, ridge=RIDGE).scores(x), abs=1e-6
    )
    before, after = ({"a": x[y == side, 0], "b": x[y == side, 1]} for side in (0, 1))
    score = Propensity().measure(before, after, aligned=False)
    pair = x[:, :2]
    chances = logistic_regression(pair, y).chances(pair)
    assert score.value == pytest.approx(float(((chances - share) ** 2).mean()))
