"""Measures worked out again, cell by cell, from what their pages say."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any

Row = Mapping[str, Any]
Rows = Sequence[Row]
KEYS = ("age", "town")
NUMBERS = ("age", "pay")


def classes(rows: Rows, keys: Sequence[str] = KEYS) -> Counter[Any]:
    """How many rows have each combination."""
    return Counter(tuple(row[key] for key in keys) for row in rows)


def risks(rows: Rows) -> list[float]:
    """One over the size of each row's class."""
    sizes = classes(rows)
    return [1 / sizes[tuple(row[key] for key in KEYS)] for row in rows]


def disclosed(rows: Rows) -> float:
    """Share of rows in whose class all have one sensitive value, more often than in the table."""
    n, found = len(rows), 0
    for row in rows:
        mates = [other for other in rows if all(other[key] == row[key] for key in KEYS)]
        share = sum(other["ill"] == row["ill"] for other in mates) / len(mates)
        prior = sum(other["ill"] == row["ill"] for other in rows) / n
        found += share == 1 and share > prior
    return found / n


def replicated(before: Rows, after: Rows) -> float:
    """Share of released rows that are unique and equal a unique original."""
    ours, theirs = classes(before), classes(after)
    again = [key for key, size in theirs.items() if size == 1 and ours[key] == 1]
    return len(again) / len(after)


def deviations(values: Sequence[float]) -> tuple[float, float]:
    """Mean, and sum of squared deviations from it."""
    mean = math.fsum(values) / len(values)
    return mean, math.fsum((value - mean) ** 2 for value in values)


def il1s(before: Rows, after: Rows) -> float:
    """Moves over √2 standard deviations, summed."""
    total = 0.0
    for name in NUMBERS:
        spread = math.sqrt(deviations([row[name] for row in before])[1] / (len(before) - 1))
        moves = [abs(a[name] - b[name]) for a, b in zip(before, after, strict=True)]
        total += math.fsum(moves) / (math.sqrt(2) * spread)
    return total


def il1(before: Rows, after: Rows) -> float:
    """Moves in per cent of the value, summed."""
    pairs = [(a[name], b[name]) for a, b in zip(before, after, strict=True) for name in NUMBERS]
    return math.fsum(100 * abs(x - y) / abs(x) for x, y in pairs if x != 0)


def sse(before: Rows, after: Rows) -> float:
    """Squared moves over squared deviations, both in standard deviations, in per cent."""
    lost = total = 0.0
    for name in NUMBERS:
        _, squares = deviations([row[name] for row in before])
        unit = squares / len(before)
        moves = [(a[name] - b[name]) ** 2 for a, b in zip(before, after, strict=True)]
        lost, total = lost + math.fsum(moves) / unit, total + squares / unit
    return 100 * lost / total


def squared_error(before: Rows, after: Rows) -> float:
    """Mean squared move of a cell."""
    moves = [
        (a[name] - b[name]) ** 2 for a, b in zip(before, after, strict=True) for name in NUMBERS
    ]
    return math.fsum(moves) / len(moves)


def mean_divergence(before: Rows, after: Rows) -> float:
    """Mean of both tables' cells."""
    cells = [row[name] for rows in (before, after) for row in rows for name in NUMBERS]
    return math.fsum(cells) / len(cells)


def ranks(values: Sequence[float]) -> list[float]:
    """Ranks, tied values sharing their mean rank."""
    return [
        sum(other < value for other in values) + (sum(other == value for other in values) + 1) / 2
        for value in values
    ]


def correlation(x: Sequence[float], y: Sequence[float]) -> float:
    """Pearson's correlation."""
    (mean_x, squares_x), (mean_y, squares_y) = deviations(x), deviations(y)
    products = math.fsum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True))
    return products / math.sqrt(squares_x * squares_y) if squares_x * squares_y > 0 else 0.0


def rank_correlation(before: Rows, after: Rows) -> float:
    """Change of the rank correlation of the two numbers."""
    sides = [
        correlation(*(ranks([row[name] for row in rows]) for name in NUMBERS))
        for rows in (before, after)
    ]
    return abs(sides[1] - sides[0])


def cell_changes(before: Rows, after: Rows) -> float:
    """Share of cells that differ."""
    cells = [a[name] != b[name] for a, b in zip(before, after, strict=True) for name in a]
    return float(sum(cells) / len(cells))


def discernibility(before: Rows, after: Rows) -> float:
    """Sum of squared class sizes, from that of the original to that of one class."""
    ours, theirs = (sum(size**2 for size in classes(rows).values()) for rows in (before, after))
    return float(max((theirs - ours) / (len(before) ** 2 - ours), 0.0))


def average_class_size(before: Rows, after: Rows) -> float:
    """Rows per class, from those of the original to one class."""
    ours, theirs = (len(rows) / len(classes(rows)) for rows in (before, after))
    return min(max((theirs - ours) / (len(before) - ours), 0.0), 1.0)


def table_counts(before: Rows, after: Rows) -> float:
    """Mean absolute difference of all counts, of the table of keys and of its margins."""
    moves: list[int] = []
    for size in range(1, len(KEYS) + 1):
        for some in combinations(KEYS, size):
            ours, theirs = classes(before, some), classes(after, some)
            moves += [abs(ours[cell] - theirs[cell]) for cell in ours.keys() | theirs.keys()]
    return sum(moves) / len(moves)


def value_distance(before: Rows, after: Rows) -> float:
    """Mean over columns of arctangents of moves, or of changed categories."""
    found = []
    for name in before[0]:
        pairs = [(a[name], b[name]) for a, b in zip(before, after, strict=True)]
        if name in NUMBERS:
            far = [2 / math.pi * math.atan(abs(x - y)) for x, y in pairs]
        else:
            far = [float(x != y) for x, y in pairs]
        found.append(math.fsum(far) / len(far))
    return math.fsum(found) / len(found)


def town_distance(before: Rows, after: Rows) -> float:
    """Total variation of the towns."""
    ours, theirs = (Counter(row["town"] for row in rows) for rows in (before, after))
    n = len(before)
    return sum(abs(ours[town] - theirs[town]) for town in ours.keys() | theirs.keys()) / (2 * n)


UTILITY: Mapping[str, Callable[[Rows, Rows], float]] = {
    "il1s": il1s,
    "il1": il1,
    "sse": sse,
    "information_loss": squared_error,
    "mean_divergence": mean_divergence,
    "rank_correlation": rank_correlation,
    "cell_changes": cell_changes,
    "discernibility": discernibility,
    "average_class_size": average_class_size,
    "table_counts": table_counts,
    "value_distance": value_distance,
    "distribution_distance": town_distance,
}
