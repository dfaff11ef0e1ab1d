"""The study of generators: its axis of loss."""

from __future__ import annotations

import polars as pl
import pytest

from microveil.studies.synthesis.study import pairs_moved
from microveil.tables import Table


def test_the_loss_is_how_far_the_joint_distributions_of_pairs_move() -> None:
    original = Table({"a": ["x", "x", "y", "y"], "b": ["p", "p", "q", "q"]})
    assert pairs_moved(original, original) == 0
    # Both columns are as before, and a quarter of the records stands in each cell.
    crossed = Table({"a": ["x", "x", "y", "y"], "b": ["p", "q", "p", "q"]})
    assert pairs_moved(original, crossed) == pytest.approx(0.5)


def test_a_label_is_read_as_what_it_covers() -> None:
    original = Table({"a": ["x", "y"] * 200, "b": [1, 2] * 200})
    stars = original.with_frame(original.frame.with_columns(a=pl.lit("{x, y}")))
    assert pairs_moved(original, stars) == pytest.approx(0.5, abs=0.1)
