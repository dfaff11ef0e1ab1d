"""Blurring: exact values that single out records, made alike for k records or more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import polars as pl

from microveil.app.coarsening import ladder_of
from microveil.app.suggesting.exact_values import SHARED, blur_exact_values
from microveil.methods import Method, Microaggregate

if TYPE_CHECKING:
    from microveil.app.inspection import Inspection
    from microveil.tables import Roles


def blur_steps(
    frame: pl.DataFrame, looked: Inspection, roles: Roles, k: int, *, truly: bool
) -> Iterator[Method]:
    """A step for each measure that singles out records; ``truly``: by intervals, not averages."""
    for step, _ in blur_exact_values(frame, looked, roles, k):
        if not truly or not isinstance(step, Microaggregate):
            yield step
        elif step.columns[0] != roles.weight:
            yield from _intervals(frame[step.columns[0]], looked, k)


def _intervals(values: pl.Series, looked: Inspection, k: int) -> Iterator[Method]:
    """The finest intervals at which nearly all records share theirs with k − 1 others."""
    ladder = ladder_of(values, looked[values.name], k)
    for step, labels in zip(ladder.usable[1:], ladder.labels[1:], strict=True):
        counts = labels.drop_nulls().unique_counts().to_numpy()
        if step is not None and counts[counts >= k].sum() >= SHARED * counts.sum():
            yield step
            return
