from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import microveil as mv
from tests.synthesis.evaluation.cases import HOLDOUT, ORIGINAL, OTHERS


def test_a_fresh_sample_is_as_good_as_real_and_gives_nothing_away() -> None:
    found = mv.evaluate_synthesis(ORIGINAL, OTHERS, holdout=HOLDOUT, target="ill")
    assert not found.skipped
    assert found["propensity_ratio"] < 4
    assert 0.4 < found["two_sample_auc"] < 0.6
    reference = dict(zip(found.frame["measure"], found.frame["reference"], strict=True))
    assert found["train_on_synthetic"] == pytest.approx(reference["train_on_synthetic"], abs=0.12)
    assert found["membership_advantage"] < 0.2
    assert found["closer_to_original"] == pytest.approx(2 / 3, abs=0.1)
    assert found["replicated_uniques"] == 0
    assert found["records_found"] == 0


@pytest.mark.slow
def test_copies_are_found_out() -> None:
    found = mv.evaluate_synthesis(ORIGINAL, ORIGINAL, holdout=HOLDOUT, target="ill")
    assert found["one_way_marginals"] == 0
    assert found["two_sample_auc"] < 0.4
    assert found["closer_to_original"] == 1
    assert found["records_found"] == 1
    assert found["membership_advantage"] > 0.8
    assert found["interval_overlap"] == pytest.approx(1)


def test_noise_is_useless_and_told_apart() -> None:
    rng = np.random.default_rng(0)
    noise = ORIGINAL.with_columns(
        pl.Series("pay", rng.uniform(0, 1e5, 400)), pl.col("ill").shuffle(seed=1)
    )
    found = mv.evaluate_synthesis(ORIGINAL, noise, holdout=HOLDOUT, target="ill")
    assert found["two_sample_auc"] > 0.9
    assert found["train_on_synthetic"] < 0.65
    assert found["interval_overlap"] < 0.7
