"""Attacks and losses of labels worked out again by looking at every pair of records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tests.verifier.measured import Rows


def singled_out(before: Rows, after: Rows, name: str) -> float:
    """Share of the released values that occur once, or extremes, that one person has."""
    values = [row[name] for row in after]
    theirs, ours = Counter(values), [row[name] for row in before]
    asked = [(value, value) for value, n in theirs.items() if n == 1]
    low, high = min(values), max(values)
    asked += [(float("-inf"), low)] * (theirs[low] == 1) + [(high, float("inf"))] * (
        theirs[high] == 1
    )
    hits = [sum(a <= value <= b for value in ours) == 1 for a, b in asked]
    return sum(hits) / len(hits) if hits else 0.0


def generalization_loss(values: Sequence[int], released: Sequence[tuple[int, int]]) -> float:
    """Mean share of the other values that each interval [low, high) leaves possible."""
    known = set(values)
    lost = [sum(low <= value < high for value in known) - 1 for low, high in released]
    return sum(lost) / len(lost) / (len(known) - 1)
