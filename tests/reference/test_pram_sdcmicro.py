"""Numbers of sdcMicro 5.8.1: ``set.seed(1); pram(factor(testdata$roof), pd=.8, alpha=.5)``."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from microveil.methods.parts.transitions import invariant_matrix, retention_matrix, soften
from microveil.methods.pram import Pram
from microveil.tables import Table

ROOFS = [2, 4, 5, 6, 9]
COUNTS = np.array([814, 3697, 19, 34, 16])
RETENTION = [
    0.85310173262842,
    0.874424779927358,
    0.914570672670379,
    0.981641557998955,
    0.840336386207491,
]
MATRIX = np.array(
    [
        [
            0.874915013804019,
            0.117302516006765,
            0.00224749988973788,
            0.00351589400676647,
            0.00201907629271176,
        ],
        [
            0.0258274947334343,
            0.967880742057703,
            0.00179922467732847,
            0.00295861350088119,
            0.00153392503065349,
        ],
        [
            0.0962876268550859,
            0.350091243793861,
            0.548472210653413,
            0.00242366280157626,
            0.00272525589606325,
        ],
        [
            0.0841746388678796,
            0.321705709198758,
            0.00135439980088085,
            0.59082335140712,
            0.00194190072536145,
        ],
        [
            0.102720506391711,
            0.354432552395372,
            0.00323624137657511,
            0.00412653904139308,
            0.53548416079495,
        ],
    ]
)
N_CHANGED = 263


def roofs() -> Table:
    return Table({"roof": np.repeat(ROOFS, COUNTS)})


def test_the_invariant_matrix_is_theirs() -> None:
    shares = COUNTS / COUNTS.sum()
    first = retention_matrix(np.array(RETENTION), shares, "evenly")
    matrix = soften(invariant_matrix(first, shares), 0.5)
    assert matrix == pytest.approx(MATRIX, rel=1e-12)


def test_a_step_with_their_retentions_uses_their_matrix_and_changes_as_much() -> None:
    retention = dict(zip(map(str, ROOFS), RETENTION, strict=True))
    step = Pram(columns="roof", retention=retention, invariant=True, alpha=0.5)
    rng = np.random.default_rng(1)
    runs = [step.apply(roofs(), rng).facts for _ in range(20)]
    assert np.array(runs[0]["transition"]["roof"]) == pytest.approx(MATRIX, rel=1e-12)
    changed = [run["n_changed"]["roof"] for run in runs]
    expected = float((COUNTS * (1 - np.diagonal(MATRIX))).sum())
    # A run's standard deviation is about 15, theirs like ours.
    assert np.mean(changed) == pytest.approx(expected, abs=15)
    assert abs(expected - N_CHANGED) < 60


def test_their_default_draws_a_matrix_of_the_same_kind() -> None:
    step = Pram(columns="roof", retention=0.8, draw_retention=True, invariant=True, alpha=0.5)
    facts = step.apply(roofs(), np.random.default_rng(1)).facts
    matrix = np.array(facts["transition"]["roof"])
    assert COUNTS @ matrix == pytest.approx(COUNTS.astype(float), rel=1e-12)
    assert (np.diagonal(matrix) > 0.5).all()
    assert pl.Series(facts["n_changed"].values()).sum() < COUNTS.sum() * 0.2
