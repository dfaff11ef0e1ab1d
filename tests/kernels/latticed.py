"""A small lattice: keys with labels at several levels, rows of records, and their classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from microveil.kernels.lattice.groups import Groups, Layout
from microveil.kernels.lattice.losses import Scales
from microveil.kernels.lattice.rules import Rules, no_rules

# labels[key][level][value]; level 0 are the values themselves, the last is one label for all.
LABELS = [
    [[0, 1, 2, 3, 4, 5], [0, 0, 1, 1, 2, 2], [0, 0, 0, 0, 1, 1], [0, 0, 0, 0, 0, 0]],
    [[0, 1, 2, 3], [0, 0, 1, 1], [0, 0, 0, 0]],
    [[0, 1, 2], [0, 0, 0]],
]
N_LEVELS = [len(key) for key in LABELS]
N_VALUES = 4


@dataclass(frozen=True)
class World:
    """Rows with a sensitive value each, as plain lists and as kernels see them."""

    rows: Sequence[tuple[int, ...]]
    secrets: Sequence[int]

    @property
    def layout(self) -> Layout:
        """Each key in a field of 20 bits."""
        keys = range(len(LABELS))
        start = np.zeros((3, 4, 4), np.int64)
        lift: list[int] = []
        for key in keys:
            for low in range(N_LEVELS[key]):
                for high in range(low, N_LEVELS[key]):
                    start[key, low, high] = len(lift)
                    table = dict(zip(LABELS[key][low], LABELS[key][high], strict=True))
                    lift += [table[label] for label in sorted(table)]
        return Layout(
            np.array([0, 0, 1]),
            np.array([0, 20, 0]),
            np.full(3, (1 << 20) - 1, np.uint64),
            start,
            np.array(lift, np.int32),
        )

    @property
    def groups(self) -> Groups:
        """One group for each row, at level 0."""
        n = len(self.rows)
        words = np.zeros((n, 2), np.uint64)
        for row, (a, b, c) in enumerate(self.rows):
            words[row] = (a | (b << 20), c)
        ones = np.ones(n, np.int64)
        return Groups(words, ones, np.arange(n + 1), np.array(self.secrets, np.int32), ones)

    def classes(self, levels: tuple[int, ...]) -> dict[tuple[int, ...], list[int]]:
        """Rows of each combination of labels, in the order in which it is first met."""
        found: dict[tuple[int, ...], list[int]] = {}
        for number, row in enumerate(self.rows):
            labels = tuple(LABELS[key][levels[key]][value] for key, value in enumerate(row))
            found.setdefault(labels, []).append(number)
        return found

    @property
    def totals(self) -> np.ndarray:
        """Records of each sensitive value."""
        return np.bincount(self.secrets, minlength=N_VALUES).astype(np.int64)


def scales() -> Scales:
    """Share of its key's values under each label, and what it loses."""
    start = np.zeros((3, 4), np.int64)
    shares: list[float] = []
    for key, levels in enumerate(LABELS):
        for level, labels in enumerate(levels):
            start[key, level] = len(shares)
            shares += [labels.count(one) / len(labels) for one in sorted(set(labels))]
    share = np.array(shares)
    return Scales(start, share, np.log1p(share), np.array([6.0, 4.0, 3.0]))


def one_rule(world: World, kind: int, limit: float, **more: Any) -> Rules:
    """A single rule about the sensitive column."""
    one = np.zeros(1, np.int64)
    rules = no_rules()._replace(
        most=len(world.rows),
        kind=np.array([kind]),
        first=one,
        last=one + N_VALUES,
        limit=np.array([limit]),
        second=np.zeros(1),
        helper=one,
        height=one,
        totals=world.totals,
    )
    return rules._replace(**more)


def labels_of(groups: Groups) -> list[tuple[int, ...]]:
    """Labels that stand in the words of each group."""
    words = groups.words.tolist()
    return [(first & 0xFFFFF, first >> 20, second) for first, second in words]
