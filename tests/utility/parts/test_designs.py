from __future__ import annotations

import numpy as np
import pytest

from microveil.utility.parts import designs
from microveil.utility.parts.designs import Design

RNG = np.random.default_rng(3)
X = RNG.normal(5, 2, (40, 2))
Y = X @ [1.0, -2.0] + RNG.normal(size=40)


@pytest.mark.parametrize("block", [7, 1000])
@pytest.mark.parametrize("weights", [None, RNG.uniform(1, 9, 40)])
def test_blocks_give_the_least_squares_of_all_records(
    block: int,
    weights: np.ndarray[tuple[int], np.dtype[np.float64]] | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(designs, "BLOCK", block)
    found = Design(Y, [X[:, 0], X[:, 1]], weights)
    assert found.rank == found.width == 3
    beta, covariance = found.least_squares()
    design = np.column_stack([np.ones(40), (X - X.mean(axis=0)) / X.std(axis=0)])
    w = np.ones(40) if weights is None else weights
    inverse = np.linalg.inv(design.T @ (w[:, None] * design))
    assert beta == pytest.approx(inverse @ (design.T @ (w * Y)), rel=1e-12)
    residuals = Y - design @ beta
    spread = design * (w * residuals)[:, None]
    sandwich = inverse @ spread.T @ spread @ inverse * 40 / 37
    plain = inverse * (residuals @ residuals) / 37
    assert covariance == pytest.approx(plain if weights is None else sandwich, rel=1e-10)


@pytest.mark.parametrize("block", [7, 1000])
def test_columns_that_determine_each_other_lower_the_rank(
    block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(designs, "BLOCK", block)
    assert Design(Y, [X[:, 0], 3 * X[:, 0] + 1]).rank == 2
    nearly = 3 * X[:, 0] + 1e-6 * X[:, 1]
    assert Design(Y, [X[:, 0], nearly]).rank == 3
    assert Design(Y, []).rank == 1
