"""sdcMicro 5.8.1's shuffle (method ds) on its test data, driven by its own noise."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from microveil.methods.parts.ranks import rank_order
from microveil.methods.shuffle.given_columns import known_columns, middle_ranks
from microveil.statistics.normal_scores import Copula, Known, fit_copula

DATA = Path(__file__).parents[1] / "data" / "sdcmicro"
COLUMNS, GIVEN = ("savings", "expend"), ("urbrur", "walls")


@pytest.fixture(scope="module")
def expected() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((DATA / "shuffle_ds.json").read_text(encoding="utf-8"))
    return found


@pytest.fixture(scope="module")
def frame() -> pl.DataFrame:
    return pl.read_csv(DATA / "testdata_shuffle.csv")


@pytest.fixture(scope="module")
def known(frame: pl.DataFrame) -> Known:
    return known_columns([frame[name] for name in GIVEN], frame.height)


@pytest.fixture(scope="module")
def copula(frame: pl.DataFrame, known: Known) -> Copula:
    ranks = np.column_stack([middle_ranks(frame[name]) for name in COLUMNS])
    return fit_copula(ranks, np.ones(ranks.shape, dtype=np.bool_), known)


def test_the_copula_is_the_one_sdcmicro_fits(copula: Copula, expected: dict[str, Any]) -> None:
    assert np.allclose(copula.correlations, expected["pmc"], rtol=0, atol=1e-14)
    assert np.allclose(copula.coefficients, expected["coef_B"], rtol=0, atol=1e-14)
    assert np.allclose(copula.residual, expected["Sigma"], rtol=0, atol=1e-14)


def test_every_value_goes_where_sdcmicro_puts_it(
    frame: pl.DataFrame, known: Known, copula: Copula
) -> None:
    noise = pl.read_csv(DATA / "shuffle_ds_e1.csv").to_numpy()
    shuffled = pl.read_csv(DATA / "shuffle_ds_shuffled.csv")
    scores = copula.means(known) + noise
    rows, rng = np.arange(frame.height, dtype=np.int32), np.random.default_rng(0)
    for number, name in enumerate(COLUMNS):
        values = frame[name].to_numpy()
        after = np.empty_like(values)
        after[rank_order(scores[:, number], rows, rng)] = np.sort(values)
        assert after.tolist() == shuffled[name].to_list()
