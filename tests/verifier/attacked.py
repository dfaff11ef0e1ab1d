"""Attacks and losses of labels worked out again by looking at every pair of records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tests.verifier.measured import Row, Rows


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


def apart(one: Row, other: Row, name: str, width: float) -> float:
    """Gower's distance of two cells."""
    if isinstance(one[name], str):
        return float(one[name] != other[name])
    return float(abs(one[name] - other[name]) / (width or 1.0))


def nearest(person: Row, after: Rows, name: str, width: float) -> list[int]:
    """The released records that are nearest to a person by one column."""
    far = [apart(person, row, name, width) for row in after]
    return [place for place, one in enumerate(far) if one <= min(far)]


def range_of(before: Rows, after: Rows, name: str) -> float:
    """Range of a number over both tables."""
    values = [row[name] for rows in (before, after) for row in rows]
    return 0.0 if isinstance(values[0], str) else max(values) - min(values)


def guessed(before: Rows, after: Rows, known: str, secret: str) -> float:
    """How often the secret of the nearest record is right."""
    width, total = range_of(before, after, known), 0.0
    for person in before:
        near = nearest(person, after, known, width)
        total += sum(after[place][secret] == person[secret] for place in near) / len(near)
    return total / len(before)


def linked(before: Rows, after: Rows, sources: Sequence[str]) -> float:
    """How often two sources of a person lead to one record."""
    total = 0.0
    for person in before:
        near = [
            set(nearest(person, after, name, range_of(before, after, name))) for name in sources
        ]
        total += len(near[0] & near[1]) / (len(near[0]) * len(near[1]))
    return total / len(before)


def generalization_loss(values: Sequence[int], released: Sequence[tuple[int, int]]) -> float:
    """Mean share of the other values that each interval [low, high) leaves possible."""
    known = set(values)
    lost = [sum(low <= value < high for value in known) - 1 for low, high in released]
    return sum(lost) / len(lost) / (len(known) - 1)
