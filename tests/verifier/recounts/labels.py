"""Entropy, ambiguity and precision: what labels withhold, counted cell by cell."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from tests.verifier.recounts.cases import STAR, Case, covered

KEYS = ("age", "town")


def entropy_loss(case: Case) -> float:
    """Bits withheld, as a share of all bits."""
    n, lost, total = len(case.before), 0.0, 0.0
    shown = dict(zip(case.origin, case.after, strict=True))
    for name in KEYS:
        labels = [shown[row][name] if row in shown else STAR for row in range(n)]
        values = [row[name] for row in case.before]
        for row in range(n):
            bits = math.log2(n / values.count(values[row]))
            total += bits
            if row in shown and labels[row] is None and values[row] is None:
                continue  # it was missing before
            if labels[row] is None or labels[row] == STAR:
                lost += bits
                continue
            same = [other for other in range(n) if labels[other] == labels[row]]
            lost += math.log2(len(same) / sum(values[other] == values[row] for other in same))
    return lost / total


def ambiguity(case: Case) -> float:
    """Combinations that a record could stand for, from one to all."""
    values = {name: case.values(name) for name in KEYS}
    most = math.prod(len(one) for one in values.values())
    total = 0.0
    for before, after in case.pairs:
        fits = 1.0
        for name in KEYS:
            if after[name] is None:
                fits *= 1 if before[name] is None else len(values[name])
            else:
                fits *= max(len(covered(after[name], values[name])), 1)
        total += fits
    n_removed = len(case.before) - len(case.after)
    mean = (total + n_removed * most) / len(case.before)
    return (mean - 1) / (most - 1)


def precision(case: Case, trees: Mapping[str, Sequence[Mapping[str, str]]]) -> float:
    """Mean level over columns; a tree has, for each level, the label of each value."""
    means = []
    for name, levels in trees.items():
        height = len(levels) + 1  # the last level is *
        total = 0.0
        for before, after in zip(
            (case.before[row] for row in case.origin), case.after, strict=True
        ):
            if after[name] is None or after[name] == STAR:
                total += 0.0 if before[name] is None else 1.0
            elif after[name] != before[name]:
                place = [
                    number
                    for number, one in enumerate(levels, 1)
                    if one[before[name]] == after[name]
                ]
                total += min(place) / height
        total += len(case.before) - len(case.after)
        means.append(total / len(case.before))
    return sum(means) / len(means)
