"""The compiled partitioning beside a plain one that keeps lists of records."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from microveil.kernels.mondrian import partition as module
from microveil.kernels.mondrian.cuts import (
    INFORMATION_GAIN,
    NCP,
    WIDEST,
    Cut,
    Rule,
    choose_cut,
    new_work,
)
from microveil.kernels.mondrian.key_space import KeySpace
from microveil.kernels.mondrian.partition import Partitions, mondrian, mondrian_where

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
    placed = [np.array(c.places) if c.kind == "placed" else np.empty(0) for c in columns]
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
    records: list[Record], part: list[int], j: int, column: Column, rule: Rule
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
    records: list[Record], part: list[int], columns: list[Column], rule: Rule
) -> list[tuple[list[int], list[int]]]:
    widths = [column.width({records[r][j] for r in part}) for j, column in enumerate(columns)]
    ranked = sorted(range(len(columns)), key=lambda j: -widths[j])
    return [
        cut
        for j in ranked
        if widths[j] >= 0
        for cut in column_cuts(records, part, j, columns[j], rule)
    ]


def naive(records: list[Record], columns: list[Column], rule: Rule) -> list[list[int]]:
    waiting, done = [list(range(len(records)))], []
    while waiting:
        part = waiting.pop()
        cuts = all_cuts(records, part, columns, rule)
        if cuts:
            waiting += cuts[0]
        else:
            done.append(part)
    return sorted(done)


def as_lists(found: Partitions) -> list[list[int]]:
    return sorted(part.tolist() for part in np.split(found.order, found.starts[1:]))


def codes_of(records: list[Record]) -> NDArray[np.int32]:
    return np.array(records, dtype=np.int32).T.copy()


modes = st.sampled_from(["strict", "relaxed"])


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[Record], list[Column], int]:
    kinds = draw(st.lists(st.sampled_from(["plain", "placed", "tree"]), min_size=1, max_size=3))
    k = draw(st.integers(1, 4))
    record = st.tuples(*(st.integers(-1, 4) for _ in kinds))
    records = draw(st.lists(record, min_size=k, max_size=40))
    return records, [Column(kind) for kind in kinds], k


@given(tables(), modes)
@settings(max_examples=300)
def test_the_partitions_are_those_of_the_plain_algorithm(
    table: tuple[list[Record], list[Column], int], mode: str
) -> None:
    records, columns, k = table
    rule = Rule(k, mode == "relaxed", WIDEST)
    found = mondrian(codes_of(records), space_of(columns), rule)
    assert as_lists(found) == naive(records, columns, rule)


@given(tables(), modes, st.sampled_from([WIDEST, NCP]))
def test_codes_and_records_stay_together(
    table: tuple[list[Record], list[Column], int], mode: str, split: int
) -> None:
    records, columns, k = table
    found = mondrian(codes_of(records), space_of(columns), Rule(k, mode == "relaxed", split))
    assert found.codes.T.tolist() == [list(records[r]) for r in found.order]
    assert sorted(found.order.tolist()) == list(range(len(records)))
    assert min(Counter(found.of_record().tolist()).values()) >= k
    assert len(set(found.of_record().tolist())) == len(found.starts)


@given(tables(), modes, st.sampled_from([WIDEST, NCP]))
def test_a_judge_who_approves_of_all_changes_nothing(
    table: tuple[list[Record], list[Column], int], mode: str, split: int
) -> None:
    records, columns, k = table
    rule = Rule(k, mode == "relaxed", split)
    plain = mondrian(codes_of(records), space_of(columns), rule)
    judged = mondrian_where(
        codes_of(records), space_of(columns), rule, lambda _, n: np.ones(n, dtype=np.bool_)
    )
    assert as_lists(judged) == as_lists(plain)


@given(tables(), modes, st.data())
def test_every_partition_is_approved_of_and_no_approved_cut_is_left(
    table: tuple[list[Record], list[Column], int], mode: str, data: st.DataObject
) -> None:
    records, columns, k = table
    secrets = np.array(
        data.draw(st.lists(st.integers(0, 2), min_size=len(records), max_size=len(records)))
    )

    def two_secrets(parts: NDArray[np.int32], n: int) -> NDArray[np.bool_]:
        return np.array([len(set(secrets[parts == part].tolist())) != 1 for part in range(n)])

    if len(set(secrets.tolist())) == 1:
        return
    rule = Rule(k, mode == "relaxed", WIDEST)
    found = mondrian_where(codes_of(records), space_of(columns), rule, two_secrets)
    for part in as_lists(found):
        assert len(set(secrets[part].tolist())) > 1
        for cut in all_cuts(records, part, columns, rule):
            assert any(len(set(secrets[half].tolist())) == 1 for half in cut)


def loss(records: list[Record], columns: list[Column], cut: tuple[list[int], list[int]]) -> float:
    return sum(
        len(half) * min(1.0, max(0.0, column.width({records[r][j] for r in half})))
        for half in cut
        for j, column in enumerate(columns)
    )


def chosen(records: list[Record], codes: NDArray[np.int32], space: KeySpace, rule: Rule) -> Cut:
    work = new_work(space, rule, len(records))
    return Cut(*choose_cut(codes, space, rule, work, 0))


def left_of(cut: Cut, records: list[Record]) -> list[int]:
    left = [r for r, record in enumerate(records) if record[cut.column] <= cut.edge]
    more = [r for r, record in enumerate(records) if record[cut.column] == cut.edge + 1]
    return sorted(left + more[: cut.extra])


@given(tables(), modes)
def test_the_certainty_penalty_takes_the_cut_that_loses_least(
    table: tuple[list[Record], list[Column], int], mode: str
) -> None:
    records, columns, k = table
    rule = Rule(k, mode == "relaxed", NCP)
    cut = chosen(records, codes_of(records), space_of(columns), rule)
    cuts = all_cuts(records, list(range(len(records))), columns, rule)
    assert (cut.column < 0) == (not cuts)
    if cuts:
        taken = halves(list(range(len(records))), left_of(cut, records))
        assert len(taken[0]) == cut.n_left
        least = min(loss(records, columns, one) for one in cuts)
        assert loss(records, columns, taken) == pytest.approx(least)


def entropy(targets: list[int]) -> float:
    return -sum(n * math.log(n / len(targets)) for n in Counter(targets).values())


@given(tables(), st.data())
def test_the_information_gain_takes_the_cut_that_tells_most(
    table: tuple[list[Record], list[Column], int], data: st.DataObject
) -> None:
    records, columns, k = table
    n = len(records)
    targets = data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))
    codes = np.vstack([codes_of(records), np.array(targets, dtype=np.int32)])
    cut = chosen(records, codes, space_of(columns), Rule(k, False, INFORMATION_GAIN, 3))
    gains = [0.0]
    for j, column in enumerate(columns):
        present = {record[j] for record in records}
        for edge in sorted(present)[:-1]:
            left = [t for record, t in zip(records, targets, strict=True) if record[j] <= edge]
            right = [t for record, t in zip(records, targets, strict=True) if record[j] > edge]
            torn = any(code > edge for code in column.together(present, edge) & present)
            if min(len(left), len(right)) >= k and not torn:
                gains.append(entropy(targets) - entropy(left) - entropy(right))
    if max(gains) > 1e-6:
        taken = set(left_of(cut, records))
        left = [t for r, t in enumerate(targets) if r in taken]
        right = [t for r, t in enumerate(targets) if r not in taken]
        gain = entropy(targets) - entropy(left) - entropy(right)
        assert gain == pytest.approx(max(gains), abs=1e-6)


def large(n: int = 150_000) -> tuple[NDArray[np.int32], KeySpace]:
    rng = np.random.default_rng(5)
    codes = np.stack([rng.integers(-1, 5, n), rng.integers(0, 5, n), np.arange(n)]).astype(np.int32)
    space = space_of([Column("plain"), Column("tree"), Column("plain")])
    return codes, space._replace(span=np.array([4.0, 1.0, n - 1]))


@pytest.mark.parametrize("mode", ["strict", "relaxed"])
def test_threads_and_slices_do_not_change_the_partitions(
    mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rule = Rule(7, mode == "relaxed", WIDEST)
    several = [mondrian(*large(), rule, n_threads=n) for n in (1, 2, 5)]
    monkeypatch.setattr(module, "N_SLICES", 1)
    whole = mondrian(*large(), rule)
    for found in several:
        assert np.array_equal(found.order, whole.order)
        assert np.array_equal(found.starts, whole.starts)
    assert np.diff(whole.starts, append=150_000).min() >= 7


def test_a_slice_that_cannot_be_cut_ends_the_search_for_slices() -> None:
    codes = np.zeros((1, 100_000), dtype=np.int32)
    assert len(mondrian(codes, space_of([Column("plain")]), Rule(2, True, WIDEST)).starts) == 1


@pytest.mark.parametrize(
    ("codes", "k"),
    [
        (np.zeros((1, 2), dtype=np.int32), 3),
        (np.zeros((1, 2), dtype=np.int32), 0),
        (np.zeros((0, 2), dtype=np.int32), 1),
        (np.zeros((1, 2), dtype=np.int64), 1),
        (np.zeros((3, 2), dtype=np.int32).T, 1),
    ],
)
def test_what_cannot_be_cut_is_refused(codes: NDArray[np.int32], k: int) -> None:
    with pytest.raises(ValueError, match=r"needs k|rows of codes|C-contiguous"):
        mondrian(codes, space_of([Column("plain")]), Rule(k, False, WIDEST))
