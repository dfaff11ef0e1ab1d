"""sdcMicro 5.8.1's additive noise of 10 %, whose random numbers R alone can draw: expectations."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from microveil.methods.additive_noise.step import AdditiveNoise

DATA = Path(__file__).parents[1] / "data" / "casc"

IL1S = {"Tarragona": 609.364174077667, "CASCrefmicrodata": 791.121050970045}
"""Σ |x − x'| / (√2 σ) over all columns after `addNoise(noise = 10)`, one run."""


@pytest.mark.parametrize("file", list(IL1S))
def test_the_loss_is_that_of_sdcmicro_within_sampling_error(file: str) -> None:
    before = pl.read_csv(DATA / f"{file}.csv").cast(pl.Float64)
    step = AdditiveNoise(columns=before.columns, sd_share=0.1)
    sds = before.to_numpy().std(axis=0, ddof=1)
    losses = []
    for seed in range(20):
        noise = step.protect(before, seed=seed).to_numpy() - before.to_numpy()
        losses.append(np.abs(noise / sds).sum() / np.sqrt(2))
    cells = before.height * before.width
    assert np.mean(losses) == pytest.approx(0.1 * cells / np.sqrt(np.pi), rel=0.005)
    assert abs(IL1S[file] - np.mean(losses)) < 4 * np.std(losses)


def test_correlated_noise_works_where_columns_are_sums_of_others() -> None:
    before = pl.read_csv(DATA / "CASCrefmicrodata.csv").cast(pl.Float64)
    step = AdditiveNoise(columns=before.columns, variance_share=0.1, correlated=True)
    after = step.protect(before, seed=1)
    gap = (after["PEARNVAL"] + after["POTHVAL"] - after["PTOTVAL"]).abs().max()
    assert gap == pytest.approx(0, abs=1e-3)


@pytest.mark.parametrize("variant", ["kim", "romm"])
def test_moments_of_collinear_columns_are_kept_exactly(variant: str) -> None:
    before = pl.read_csv(DATA / "CASCrefmicrodata.csv").cast(pl.Float64)
    step = AdditiveNoise.parse({"columns": before.columns, "sd_share": 0.5, "variant": variant})
    old, new = before.to_numpy(), step.protect(before, seed=1).to_numpy()
    sds = old.std(axis=0)
    assert np.allclose(new.mean(axis=0), old.mean(axis=0), rtol=1e-10)
    assert np.abs(np.cov((new / sds).T) - np.cov((old / sds).T)).max() < 1e-8
    assert (np.abs((new - old) / sds).mean(axis=0) > 0.1).all()
