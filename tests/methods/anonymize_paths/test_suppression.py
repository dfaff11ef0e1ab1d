from __future__ import annotations

import numpy as np
import polars as pl

import microveil as mv
from microveil.kernels.paths.subsequences import least_support
from microveil.methods.anonymize_paths import suppression
from microveil.risk.paths.points import Points


def points(seed: int) -> Points:
    rng = np.random.default_rng(seed)
    frame = pl.DataFrame(
        {
            "who": np.repeat(np.arange(30), 6),
            "place": rng.integers(0, 12, 180),
            "at": np.arange(180),
        }
    )
    return Points.of(mv.Table(frame, mv.Roles(entity="who")), ["place"], "at", "step")


def test_what_stays_is_shared_however_many_rounds_it_takes() -> None:
    for seed in range(3):
        kept = suppression.remove_points(points(seed), "sequence", 4, 2, 180)
        assert kept is not None
        least = least_support(points(seed).path("sequence", kept).index, 2)
        assert least[least > 0].min(initial=4) >= 4


def test_an_end_comes_without_patience() -> None:
    patience = suppression.PATIENT_ROUNDS
    suppression.PATIENT_ROUNDS = 0
    try:
        kept = suppression.remove_points(points(1), "locations", 4, 2, 180)
    finally:
        suppression.PATIENT_ROUNDS = patience
    assert kept is not None
    least = least_support(points(1).path("locations", kept).index, 2)
    assert least[least > 0].min(initial=4) >= 4


def test_more_than_allowed_is_none() -> None:
    assert suppression.remove_points(points(1), "sequence", 4, 2, 3) is None
