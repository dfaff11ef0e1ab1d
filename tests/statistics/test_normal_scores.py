from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from microveil.methods.shuffle.given_columns import known_columns, middle_ranks
from microveil.statistics import normal_scores as ns


def copula(columns: list[pl.Series], given: list[pl.Series]) -> ns.Copula:
    ranks = np.column_stack([middle_ranks(series) for series in columns])
    present = np.column_stack([series.is_not_null().to_numpy() for series in columns])
    return ns.fit_copula(ranks, present, known_columns(given, len(columns[0])))


def test_categories_are_spread_out_but_for_the_first() -> None:
    known = known_columns([pl.Series(["a", "b", None, "a"]), pl.Series([1, 2, 3, 4])], 4)
    assert known.n_columns == 3
    spread = known.categories(slice(0, 4))
    assert np.allclose(spread.mean(axis=0), 0)
    assert np.allclose((spread**2).mean(axis=0), 1)


def test_work_in_parts_gives_the_same_copula(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    x = pl.Series(rng.normal(size=100))
    given = [pl.Series(rng.normal(size=100)), pl.Series(rng.choice(["a", "b", "c"], 100))]
    whole = copula([x], given)
    monkeypatch.setattr(ns, "PART", 7)
    parts = copula([x], given)
    assert np.allclose(whole.correlations, parts.correlations)
    known = known_columns(given, 100)
    assert np.allclose(whole.means(known), parts.means(known))


def test_normal_data_give_back_their_correlation() -> None:
    rng = np.random.default_rng(0)
    x, other = rng.normal(size=(2, 50_000))
    found = copula([pl.Series(np.exp(x)), pl.Series(0.6 * x + 0.8 * other)], [])
    assert found.correlations[0, 1] == pytest.approx(0.6, abs=0.01)


def test_residuals_are_what_the_given_columns_leave() -> None:
    rng = np.random.default_rng(0)
    s, other = rng.normal(size=(2, 50_000))
    found = copula([pl.Series(0.6 * s + 0.8 * other)], [pl.Series(s)])
    assert found.coefficients[0, 0] == pytest.approx(0.6, abs=0.01)
    assert found.residual[0, 0] == pytest.approx(0.64, abs=0.02)
    noise = found.noise(50_000, rng)
    assert noise.var() == pytest.approx(found.residual[0, 0], rel=0.05)


def test_gaps_do_not_count() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=20_000)
    y = pl.Series(0.6 * x + 0.8 * rng.normal(size=20_000))
    holes = pl.Series(x).set(pl.Series(rng.random(20_000) < 0.4), None)
    found = copula([holes, y], [])
    assert found.correlations[0, 1] == pytest.approx(0.6, abs=0.03)


def test_a_column_that_is_all_missing_is_related_to_nothing() -> None:
    empty = pl.Series([None] * 4, dtype=pl.Float64)
    found = copula([empty, pl.Series([1, 2, 3, 4])], [empty])
    assert np.array_equal(found.correlations, np.eye(3))
