from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.kernels.microaggregation.gower_mdav import (
    NOMINAL,
    NUMERIC,
    ORDINAL,
    Mixed,
    gower_mdav,
)

KINDS = (NUMERIC, ORDINAL, NOMINAL)
LEVELS = (0, 4, 3)
records = st.lists(
    st.tuples(st.sampled_from([0.0, 0.25, 0.5, 1.0]), st.integers(0, 3), st.integers(0, 2)),
    min_size=2,
    max_size=25,
)


def distance(one: Any, other: Any) -> float:
    total = abs(one[0] - other[0])
    total += abs(one[1] - other[1]) / 3
    return float(total + (one[2] != other[2]))


def centre(rows: list[Any]) -> tuple[float, int, int]:
    codes = sorted(row[1] for row in rows)
    counts = Counter(row[2] for row in rows)
    most = min(code for code, count in counts.items() if count == max(counts.values()))
    total = 0.0
    for row in rows:
        total += row[0]
    return total / len(rows), codes[(len(rows) - 1) // 2], most


def naive(rows: list[Any], k: int) -> list[set[int]]:
    left, groups = list(range(len(rows))), []

    def take(seed: int) -> None:
        order = sorted(left, key=lambda i: (i != seed, distance(rows[i], rows[seed]), -i))
        groups.append(set(order[:k]))
        for i in order[:k]:
            left.remove(i)

    def farthest(point: Any) -> int:
        return max(left, key=lambda i: (distance(rows[i], point), -i))

    while len(left) >= 2 * k:
        both = len(left) >= 3 * k
        first = farthest(centre([rows[i] for i in left]))
        take(first)
        if both:
            take(farthest(rows[first]))
    return [*groups, set(left)] if left else groups


def mixed(rows: list[Any]) -> Mixed:
    return Mixed(
        np.array(rows, dtype=np.float64),
        np.array(KINDS, dtype=np.int32),
        np.array(LEVELS, dtype=np.int32),
    )


@given(records, st.integers(2, 5))
def test_the_partition_is_the_naive_algorithm_s(rows: list[Any], k: int) -> None:
    if len(rows) < k:
        with pytest.raises(ValueError, match="needs k"):
            gower_mdav(mixed(rows), k)
        return
    labels = gower_mdav(mixed(rows), k)
    groups = [set(np.flatnonzero(labels == label).tolist()) for label in range(labels.max() + 1)]
    assert groups == naive(rows, k)
    assert all(k <= len(group) <= 2 * k - 1 for group in groups)
