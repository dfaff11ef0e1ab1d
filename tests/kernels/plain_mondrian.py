"""Mondrian's keys and cuts in plain lists of records."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from microveil.kernels.mondrian.cuts import Cut, CutRule
from microveil.kernels.mondrian.key_space import KeySpace

Record = tuple[int, ...]
MISSING = -1
LABELS = (("a", "x", "*"), ("b", "x", "*"), ("c", "x", "*"), ("d", "y", "*"), ("e", "z", "*"))
"""Labels of the codes 0..4 of a tree."""


@dataclass
class Column:
    """A key of five values: plain, at uneven places, or with a tree."""

    kind: str
    places: tuple[float, ...] = (0, 1, 4, 5, 9)

    def width(self, codes: set[int]) -> float:
        if len(codes) == 1:
            return -1.0
        if MISSING in codes:
            return 2.0
        if self.kind == "tree":
            label = next(
                label
                for label in zip(*(LABELS[c] for c in codes), strict=True)
                if len(set(label)) == 1
            )[0]
            return sum(label in labels for labels in LABELS) / len(LABELS)
        if self.kind == "placed":
            return (self.places[max(codes)] - self.places[min(codes)]) / 9
        return (max(codes) - min(codes)) / 4

    def together(self, codes: set[int], code: int) -> set[int]:
        """What must not be torn apart when a partition with these codes is cut at one of them."""
        present = codes - {MISSING}
        if self.kind != "tree" or code == MISSING or len(present) == 1:
            return {code}
        level = next(i for i in range(3) if len({LABELS[c][i] for c in present}) == 1) - 1
        return {c for c in range(5) if LABELS[c][level] == LABELS[code][level]}


def space_of(columns: list[Column]) -> KeySpace:
    placed = [np.array(c.places, float) if c.kind == "placed" else np.empty(0) for c in columns]
    trees = [c.kind == "tree" for c in columns]
    first = np.array([[0, 1, 2, 3, 4], [0, 0, 0, 3, 4], [0] * 5], dtype=np.int32)
    last = np.array([[0, 1, 2, 3, 4], [2, 2, 2, 3, 4], [4] * 5], dtype=np.int32)
    share = np.array([[0.0] * 5, [0.6, 0.6, 0.6, 0.2, 0.2], [1.0] * 5])
    places = np.cumsum([0, *map(len, placed)])
    nodes = np.cumsum([0, *(15 * tree for tree in trees)])
    return KeySpace(
        span=np.array([{"plain": 4.0, "placed": 9.0, "tree": 1.0}[c.kind] for c in columns]),
        start=np.array([places[i] if len(p) else -1 for i, p in enumerate(placed)]),
        place=np.concatenate(placed),
        tree=np.array([nodes[i] if tree else -1 for i, tree in enumerate(trees)]),
        levels=np.array([3 * tree for tree in trees]),
        n_codes=np.full(len(columns), 5),
        first=np.concatenate([first.ravel()[: 15 * tree] for tree in trees]),
        last=np.concatenate([last.ravel()[: 15 * tree] for tree in trees]),
        share=np.concatenate([share.ravel()[: 15 * tree] for tree in trees]),
    )


def halves(part: list[int], left: list[int]) -> tuple[list[int], list[int]]:
    return left, [record for record in part if record not in set(left)]


def column_cuts(
    records: list[Record], part: list[int], j: int, column: Column, rule: CutRule
) -> list[tuple[list[int], list[int]]]:
    code = {record: records[record][j] for record in part}
    codes = set(code.values())
    lefts = []
    if MISSING in codes:
        lefts.append([r for r in part if code[r] == MISSING])
    half = (len(part) + 1) // 2
    median = sorted(code.values())[half - 1]
    group = column.together(codes, median)
    if not rule.relaxed or column.kind == "tree":
        up_to = [r for r in part if code[r] <= max(group)]
        below = [r for r in part if code[r] < min(group)]
        pair = sorted([up_to, below], key=lambda left: abs(2 * len(left) - len(part)))
        lefts += [left for left in pair if {code[r] for r in left} != {MISSING}]
    if rule.relaxed:
        lefts.append(sorted(sorted(part, key=lambda r: (code[r], r))[:half]))
    found = [halves(part, left) for left in lefts]
    return [cut for cut in found if min(map(len, cut)) >= rule.k]


def all_cuts(
    records: list[Record], part: list[int], columns: list[Column], rule: CutRule
) -> list[tuple[list[int], list[int]]]:
    widths = [column.width({records[r][j] for r in part}) for j, column in enumerate(columns)]
    ranked = sorted(range(len(columns)), key=lambda j: -widths[j])
    return [
        cut
        for j in ranked
        if widths[j] >= 0
        for cut in column_cuts(records, part, j, columns[j], rule)
    ]


def codes_of(records: list[Record]) -> NDArray[np.int32]:
    return np.array(records, dtype=np.int32).T.copy()


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[Record], list[Column], int]:
    kinds = draw(st.lists(st.sampled_from(["plain", "placed", "tree"]), min_size=1, max_size=3))
    k = draw(st.integers(1, 4))
    record = st.tuples(*(st.integers(-1, 4) for _ in kinds))
    records = draw(st.lists(record, min_size=k, max_size=40))
    return records, [Column(kind) for kind in kinds], k


def left_of(cut: Cut, records: list[Record]) -> list[int]:
    left = [r for r, record in enumerate(records) if record[cut.column] <= cut.edge]
    more = [r for r, record in enumerate(records) if record[cut.column] == cut.edge + 1]
    return sorted(left + more[: cut.extra])
