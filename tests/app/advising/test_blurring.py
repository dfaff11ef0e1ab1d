"""Exact values are averaged, or, where they must stay true, put into intervals."""

from __future__ import annotations

import numpy as np
import polars as pl

from microveil.app.advising.blurring import blur_steps
from microveil.app.inspection import inspect
from microveil.methods import Microaggregate
from microveil.tables import Roles

# So skewed that no round base makes most of the values shared: they would be averaged.
FRAME = pl.DataFrame({"pay": np.exp(np.random.default_rng(1).normal(0, 4, 400))})
ROLES = Roles(sensitive=["pay"])


def test_true_blurs_are_intervals_that_most_records_share() -> None:
    looked = inspect(FRAME)
    (averaged,) = blur_steps(FRAME, looked, ROLES, 5, truly=False)
    assert isinstance(averaged, Microaggregate)
    (true,) = blur_steps(FRAME, looked, ROLES, 5, truly=True)
    assert not true.perturbative
    sizes = true.protect(FRAME)["pay"].unique_counts()
    assert sizes.filter(sizes >= 5).sum() >= 0.95 * FRAME.height
