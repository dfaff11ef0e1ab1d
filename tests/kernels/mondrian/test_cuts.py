from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from microveil.kernels.mondrian.cuts import (
    INFORMATION_GAIN,
    NCP,
    WIDEST,
    Cut,
    CutRule,
    choose_cut,
    mark_sides,
    new_work,
)
from microveil.kernels.mondrian.key_space import KeySpace
from tests.kernels.plain_mondrian import (
    Column,
    Record,
    all_cuts,
    codes_of,
    halves,
    left_of,
    space_of,
    tables,
)

modes = st.sampled_from(["strict", "relaxed"])


def loss(records: list[Record], columns: list[Column], cut: tuple[list[int], list[int]]) -> float:
    return sum(
        len(half) * min(1.0, max(0.0, column.width({records[r][j] for r in half})))
        for half in cut
        for j, column in enumerate(columns)
    )


def part_of(codes: NDArray[np.int32]) -> NDArray[np.int32]:
    """The same codes as part of a larger table: what the kernel is compiled for."""
    return np.repeat(codes, 2, axis=1)[:, : codes.shape[1] * 2 : 2]


def chosen(records: list[Record], codes: NDArray[np.int32], space: KeySpace, rule: CutRule) -> Cut:
    work = new_work(space, rule, len(records))
    return Cut(*choose_cut(part_of(codes), space, rule, work, 0))


def entropy(targets: list[int]) -> float:
    return -sum(n * math.log(n / len(targets)) for n in Counter(targets).values())


@given(tables(), modes)
def test_cuts_come_widest_first_and_may_be_passed_over(
    table: tuple[list[Record], list[Column], int], mode: str
) -> None:
    records, columns, k = table
    rule, space = CutRule(k, mode == "relaxed", WIDEST), space_of(columns)
    work = new_work(space, rule, len(records))
    everybody = list(range(len(records)))
    found: list[tuple[list[int], list[int]]] = []
    for skip in range(5 * len(columns)):
        cut = Cut(*choose_cut(part_of(codes_of(records)), space, rule, work, skip))
        if cut.column < 0:
            break
        taken = halves(everybody, left_of(cut, records))
        assert len(taken[0]) == cut.n_left
        found.append(taken)
    cuts = all_cuts(records, everybody, columns, rule) if len(records) >= 2 * k else []
    # A cut may be offered twice, where no value lies between two edges.
    assert distinct(found) == distinct(cuts)


def distinct(cuts: list[tuple[list[int], list[int]]]) -> list[tuple[list[int], list[int]]]:
    return [cut for number, cut in enumerate(cuts) if cut not in cuts[:number]]


@given(tables(), modes)
def test_records_are_marked_for_the_side_they_go_to(
    table: tuple[list[Record], list[Column], int], mode: str
) -> None:
    records, columns, k = table
    codes = codes_of(records)
    cut = chosen(records, codes, space_of(columns), CutRule(k, mode == "relaxed", WIDEST))
    if cut.column < 0:
        return
    side = np.full(len(records), 7, np.uint8)
    mark_sides(codes[cut.column], cut, side)
    assert np.flatnonzero(side).tolist() == left_of(cut, records)
    assert set(side.tolist()) == {0, 1}


@given(tables(), modes)
def test_the_certainty_penalty_takes_the_cut_that_loses_least(
    table: tuple[list[Record], list[Column], int], mode: str
) -> None:
    records, columns, k = table
    rule = CutRule(k, mode == "relaxed", NCP)
    cut = chosen(records, codes_of(records), space_of(columns), rule)
    cuts = all_cuts(records, list(range(len(records))), columns, rule)
    assert (cut.column < 0) == (not cuts)
    if cuts:
        taken = halves(list(range(len(records))), left_of(cut, records))
        assert len(taken[0]) == cut.n_left
        least = min(loss(records, columns, one) for one in cuts)
        assert loss(records, columns, taken) == pytest.approx(least)


@given(tables(), st.data())
def test_the_information_gain_takes_the_cut_that_tells_most(
    table: tuple[list[Record], list[Column], int], data: st.DataObject
) -> None:
    records, columns, k = table
    n = len(records)
    targets = data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))
    codes = np.vstack([codes_of(records), np.array(targets, dtype=np.int32)])
    cut = chosen(records, codes, space_of(columns), CutRule(k, False, INFORMATION_GAIN, 3))
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
