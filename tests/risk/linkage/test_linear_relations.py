from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from microveil.risk.linkage import linear_relations
from microveil.risk.linkage.linear_relations import (
    basis,
    canonical_correlations,
    centred_units,
    coordinates,
    explained_shares,
    own_predictions,
    predictions,
)

RNG = np.random.default_rng(0)
X = RNG.normal(size=(30, 2))
Y = np.column_stack([2 * X[:, 0] + 1, RNG.normal(size=30), np.full(30, 0.1)])


def test_columns_have_mean_zero_and_length_one_unless_they_are_constant() -> None:
    units = centred_units(Y)
    assert units.mean(axis=0) == pytest.approx(np.zeros(3), abs=1e-12)
    assert (units**2).sum(axis=0) == pytest.approx([1, 1, 0])


def test_coordinates_have_the_products_of_the_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    products = np.hstack([centred_units(X), centred_units(Y)])
    for block in (7, 1000):
        monkeypatch.setattr(linear_relations, "BLOCK", block)
        both = np.hstack(coordinates(X, Y))
        assert len(both) == 5
        assert both.T @ both == pytest.approx(products.T @ products, abs=1e-13)
    assert [one.shape for one in coordinates(X[:0], Y[:0])] == [(0, 2), (0, 3)]


def test_collinear_columns_span_one_direction() -> None:
    assert basis(np.column_stack([X[:, 0], 3 * X[:, 0] - 7])).shape == (30, 1)
    span = basis(X)
    assert span.T @ span == pytest.approx(np.eye(2), abs=1e-12)
    assert basis(np.zeros((4, 2))).shape == (4, 0)


def test_a_record_is_predicted_from_the_others_alone() -> None:
    found = predictions(X, Y[:, :2], np.zeros((30, 2)))
    centred = Y[:, :2] - Y[:, :2].mean(axis=0)
    for i in range(30):
        others = np.arange(30) != i
        design = np.column_stack([np.ones(30), X])
        # The centre is that of all records; only the slopes are learnt without the record.
        weights = np.linalg.lstsq(
            (design - design.mean(axis=0))[others][:, 1:], centred[others], rcond=None
        )[0]
        expected = (X - X.mean(axis=0))[i] @ weights
        assert found[i] == pytest.approx(expected, abs=1e-9)


def test_too_few_records_teach_nothing() -> None:
    unlearnt = np.full((2, 1), 7.0)
    assert predictions(X[:2], Y[:2, :1], unlearnt).tolist() == unlearnt.tolist()


def test_a_column_is_predicted_from_its_counterpart_by_one_slope() -> None:
    a = np.array([[-1.0], [0.0], [1.0]])
    assert own_predictions(a, 3 * a) == pytest.approx(3 * a)
    assert own_predictions(0 * a, a) == pytest.approx(0 * a)


def test_what_is_explained_is_r_squared_and_canonical_correlations_are_its_root() -> None:
    shares = explained_shares(*coordinates(X, Y))
    for j in range(2):
        design = np.column_stack([np.ones(30), X])
        rest = Y[:, j] - design @ np.linalg.lstsq(design, Y[:, j], rcond=None)[0]
        assert shares[j] == pytest.approx(1 - rest.var() / Y[:, j].var())
    assert shares[2] == 0
    one = canonical_correlations(*coordinates(X[:, :1], Y[:, 1:2]))
    assert one == pytest.approx([abs(np.corrcoef(X[:, 0], Y[:, 1])[0, 1])])


def test_coordinates_are_found_by_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """With several, narrow blocks cost ten times the CPU on a busy machine."""
    found: set[int] = set()
    real = np.linalg.qr

    def look(*given: Any, **options: Any) -> Any:
        found.update(one["num_threads"] for one in threadpool_info())
        return real(*given, **options)

    monkeypatch.setattr(np.linalg, "qr", look)
    coordinates(np.eye(5), np.eye(5))
    assert found == {1}
