"""Measures of weighted records, worked out record by record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any

from tests.verifier.recounts.cases import Case

Weighted = tuple[Any, float]


def shares(records: Iterable[Weighted]) -> dict[Any, float]:
    """The weighted share of each value."""
    found: Counter[Any] = Counter()
    for value, weight in records:
        found[value] += weight  # type: ignore[assignment]  # weights are no whole numbers
    total = sum(found.values())
    return {value: weight / total for value, weight in found.items()}


def total_variation(case: Case, name: str) -> float:
    """Half the sum of the differences between weighted shares, of a column without labels."""
    before = shares((row[name], row["w"]) for row in case.before)
    after = shares((row[name], row["w"]) for row in case.after)
    every = {*before, *after}
    return sum(abs(before.get(one, 0.0) - after.get(one, 0.0)) for one in every) / 2


def table_counts(case: Case, columns: Sequence[str]) -> float:
    """Mean difference of the sums of weights over the cells of a table and of its margins."""
    differences = []
    for size in range(1, len(columns) + 1):
        for some in combinations(columns, size):
            sums: list[Counter[Any]] = [Counter(), Counter()]
            for side, rows in enumerate((case.before, case.after)):
                for row in rows:
                    sums[side][tuple(row[name] for name in some)] += row["w"]
            cells = {*sums[0], *sums[1]}
            differences += [abs(sums[0][cell] - sums[1][cell]) for cell in cells]
    return sum(differences) / len(differences)
