"""Small tables of codes, and plain counts of who matches whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import strategies as st

from microveil.methods.local_suppression import LocalSuppression
from microveil.methods.parts.base import Outcome
from microveil.tables import Missing, Table

Rows = list[tuple[Any, ...]]


both_ways = pytest.mark.parametrize("missing", ["category", "wildcard"])


def smallest(rows: Rows, missing: Missing) -> int:
    """k by plain counting; under the wildcard rule, the smaller of both ways to count."""
    if missing == "category":
        return min(Counter(rows).values())
    return min(min(n_matches(row, rows, strict=strict) for row in rows) for strict in (0, 1))


def n_matches(row: tuple[Any, ...], rows: Rows, strict: int = 0) -> int:
    """Rows that match one; strictly, fully missing ones do not count for complete ones."""
    complete = None not in row and len(row) > 1
    return sum(
        all(a is None or b is None or a == b for a, b in zip(row, other, strict=True))
        for other in rows
        if not (strict and complete and set(other) == {None})
    )


def only_blanked(before: Rows, after: Rows) -> bool:
    return all(
        new is None or new == old
        for row, changed in zip(before, after, strict=True)
        for old, new in zip(row, changed, strict=True)
    )


def frame_of(rows: Rows) -> pl.DataFrame:
    names = [f"key{i}" for i in range(len(rows[0]))]
    return pl.DataFrame(rows, schema=dict.fromkeys(names, pl.Int64), orient="row")


def suppressed(rows: Rows, **fields: Any) -> tuple[Rows, Outcome]:
    """The rows after the step, every column of theirs being a key."""
    frame = frame_of(rows)
    step = LocalSuppression(columns=frame.columns, **fields)
    outcome = step.apply(Table(frame), np.random.default_rng(0))
    return outcome.table.frame.rows(), outcome


@st.composite
def tables(draw: st.DrawFn, most_rows: int = 14, *, nulls: bool = True) -> tuple[Rows, int]:
    """A few rows of one to five keys, and a k that they can reach."""
    m = draw(st.integers(1, 5))
    n_values = draw(st.integers(1, 4))
    values = st.integers(0, n_values - 1)
    cells = st.one_of(values, values, st.none()) if nulls else values
    rows = draw(st.lists(st.tuples(*[cells] * m), min_size=2, max_size=most_rows))
    return rows, draw(st.integers(2, min(len(rows), 6)))


def all_distinct(n: int, m: int) -> Rows:
    return [tuple(range(i * m, (i + 1) * m)) for i in range(n)]


def as_sets(bits: Sequence[int], m: int) -> list[tuple[int, ...]]:
    return [tuple(column for column in range(m) if mask >> column & 1) for mask in bits]
