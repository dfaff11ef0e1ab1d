"""Trees, tables and the least loss there is, for tests of local recoding."""

from __future__ import annotations

from functools import cache

import polars as pl
from hypothesis import strategies as st

from microveil.hierarchies import build_hierarchy
from microveil.methods.local_recoding.step import LocalRecoding

TOWNS = {"FR": ["Lyon", "Paris", "Nice"], "IT": ["Rome", "Bari"]}


TREES = {
    "town": {"tree": TOWNS},
    "job": {"tree": {"office": ["clerk", "boss"], "field": ["farmer", "guard"]}},
    "sex": {"tree": ["f", "m"]},
}


VALUES = {
    "town": ["Lyon", "Paris", "Nice", "Rome", "Bari"],
    "job": ["clerk", "boss", "farmer", "guard"],
    "sex": ["f", "m"],
}


NAMES = list(TREES)


people = st.lists(
    st.tuples(*(st.sampled_from([*VALUES[name], None]) for name in NAMES)), min_size=5, max_size=40
)


def frame_of(rows: list[tuple[str | None, ...]]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=dict.fromkeys(NAMES, pl.String), orient="row")


@cache
def ancestors(name: str) -> dict[str, tuple[str, ...]]:
    """Every label that may take the place of a value."""
    tree = LocalRecoding(k=2, hierarchies={name: TREES[name]}).hierarchies[name]
    hierarchy = build_hierarchy(tree, pl.Series(name, VALUES[name]))
    return {row[0]: row for row in hierarchy.text_rows()}


@cache
def cell_loss(name: str, label: str | None) -> float:
    """Share of the values under a label, 0 for one value and 1 for all."""
    if label is None:
        return 0.0
    under = sum(label in row for row in ancestors(name).values())
    n = len(VALUES[name])
    return (under - 1) / (n - 1)


def loss_of(released: pl.DataFrame, n_suppressed: int, n_keys: int) -> float:
    n = released.height + n_suppressed
    total = sum(cell_loss(name, label) for name in NAMES for label in released[name])
    return (total + n_suppressed * n_keys) / (n * len(NAMES))


def partitions(items: list[int], k: int) -> list[list[list[int]]]:
    """All partitions into parts of k or more."""
    if not items:
        return [[]]
    first, rest = items[0], items[1:]
    found = []
    for mask in range(2 ** len(rest)):
        part = [first] + [one for i, one in enumerate(rest) if mask >> i & 1]
        left = [one for i, one in enumerate(rest) if not mask >> i & 1]
        if len(part) >= k and (not left or len(left) >= k):
            found += [[part, *others] for others in partitions(left, k)]
    return found


def common_label(name: str, values: list[str]) -> str:
    allowed = ancestors(name)
    return next(label for label in allowed[values[0]] if all(label in allowed[v] for v in values))


def least_loss(rows: list[tuple[str, ...]], k: int) -> float:
    best = 1.0
    for parts in partitions(list(range(len(rows))), k):
        total = 0.0
        for part in parts:
            for j, name in enumerate(NAMES):
                label = common_label(name, [rows[i][j] for i in part])
                total += len(part) * cell_loss(name, label)
        best = min(best, total / (len(rows) * len(NAMES)))
    return best
