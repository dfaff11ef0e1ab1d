"""Uniques of a table and of its population, found by looking at every set of columns."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Any

from tests.verifier.recounts.cases import Row


def special_uniques(
    rows: Sequence[Row], columns: Sequence[str], share: float, people: Sequence[Any] | None
) -> list[float]:
    """DIS score of each record."""
    owner = list(range(len(rows))) if people is None else list(people)
    m = len(columns)
    scores = []
    for place in range(len(rows)):
        alone = [
            some
            for size in range(1, m + 1)
            for some in combinations(columns, size)
            if _alone(rows, owner, place, some)
        ]
        minimal = [one for one in alone if not any(set(other) < set(one) for other in alone)]
        scores.append(sum(math.factorial(m - len(one)) for one in minimal))
    power = 1 + (8 - m) / 20
    doubt = _n_paired(rows, columns, owner) * (1 - share) / share
    # Rows that say the same about a person count once.
    said = {
        (who, tuple(row[c] for c in columns)): i
        for i, (who, row) in enumerate(zip(owner, rows, strict=True))
    }
    total = math.fsum(scores[i] ** -power for i in said.values() if scores[i])
    return [1 / (1 + doubt / (score**power * total)) if score else 0.0 for score in scores]


def _alone(rows: Sequence[Row], owner: Sequence[Any], place: int, some: Sequence[str]) -> bool:
    """Whether nobody else has the values of a record."""
    return not any(
        owner[other] != owner[place] and all(rows[other][c] == rows[place][c] for c in some)
        for other in range(len(rows))
    )


def _n_paired(rows: Sequence[Row], columns: Sequence[str], owner: Sequence[Any]) -> int:
    """Records, or people, that are one of two with the same values."""
    held = {(tuple(row[c] for c in columns), who) for row, who in zip(rows, owner, strict=True)}
    sizes = Counter(cells for cells, _ in held)
    return 2 * sum(size == 2 for size in sizes.values())


def key_separation(
    rows: Sequence[Row], columns: Sequence[str], people: Sequence[Any] | None
) -> float:
    """Share of the pairs of different people's records that differ."""
    owner = list(range(len(rows))) if people is None else list(people)
    held = {(who, tuple(row[c] for c in columns)) for who, row in zip(owner, rows, strict=True)}
    pairs = [(x, y) for x, y in combinations(held, 2) if x[0] != y[0]]
    return sum(x[1] != y[1] for x, y in pairs) / len(pairs)


def class_sizes(rows: Sequence[Row], columns: Sequence[str]) -> Counter[int]:
    """Number of classes of each size; records without any key are left out."""
    cells = [tuple(row[c] for c in columns) for row in rows]
    return Counter(Counter(one for one in cells if any(c is not None for c in one)).values())


def log_linear_tau(rows: Sequence[Row], columns: Sequence[str], share: float) -> float:
    """Expected number of unique records whose person is unique: Σ e^−v by independent keys."""
    shown = [row for row in rows if any(row[c] is not None for c in columns)]
    n, total = len(shown), 0.0
    cells = [tuple(row[c] for c in columns) for row in shown]
    for row, own in zip(shown, cells, strict=True):
        if cells.count(own) == 1:
            mean = n * math.prod(sum(o[c] == row[c] for o in shown) / n for c in columns)
            total += math.exp(-mean * (1 - share) / share)
    return total
