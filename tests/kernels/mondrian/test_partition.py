"""The compiled partitioning beside a plain one that keeps lists of records."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import microveil as mv
from microveil.kernels.mondrian import partition as module
from microveil.kernels.mondrian.cuts import NCP, WIDEST, CutRule
from microveil.kernels.mondrian.key_space import KeySpace
from microveil.kernels.mondrian.partition import Partitions, mondrian, mondrian_where
from tests.kernels.plain_mondrian import (
    Column,
    Record,
    all_cuts,
    codes_of,
    space_of,
    tables,
)


def naive(records: list[Record], columns: list[Column], rule: CutRule) -> list[list[int]]:
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


modes = st.sampled_from(["strict", "relaxed"])


@given(tables(), modes)
@settings(max_examples=150)
def test_the_partitions_are_those_of_the_plain_algorithm(
    table: tuple[list[Record], list[Column], int], mode: str
) -> None:
    records, columns, k = table
    rule = CutRule(k, mode == "relaxed", WIDEST)
    found = mondrian(codes_of(records), space_of(columns), rule)
    assert as_lists(found) == naive(records, columns, rule)


@given(tables(), modes, st.sampled_from([WIDEST, NCP]))
def test_codes_and_records_stay_together(
    table: tuple[list[Record], list[Column], int], mode: str, split: int
) -> None:
    records, columns, k = table
    found = mondrian(codes_of(records), space_of(columns), CutRule(k, mode == "relaxed", split))
    assert found.codes.T.tolist() == [list(records[r]) for r in found.order]
    assert sorted(found.order.tolist()) == list(range(len(records)))
    assert min(Counter(found.of_record().tolist()).values()) >= k
    assert len(set(found.of_record().tolist())) == len(found.starts)


@given(tables(), modes, st.sampled_from([WIDEST, NCP]))
def test_a_judge_who_approves_of_all_changes_nothing(
    table: tuple[list[Record], list[Column], int], mode: str, split: int
) -> None:
    records, columns, k = table
    rule = CutRule(k, mode == "relaxed", split)
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
    rule = CutRule(k, mode == "relaxed", WIDEST)
    found = mondrian_where(codes_of(records), space_of(columns), rule, two_secrets)
    for part in as_lists(found):
        assert len(set(secrets[part].tolist())) > 1
        for cut in all_cuts(records, part, columns, rule):
            assert any(len(set(secrets[half].tolist())) == 1 for half in cut)


def large(n: int = 150_000) -> tuple[NDArray[np.int32], KeySpace]:
    rng = np.random.default_rng(5)
    codes = np.stack([rng.integers(-1, 5, n), rng.integers(0, 5, n), np.arange(n)]).astype(np.int32)
    space = space_of([Column("plain"), Column("tree"), Column("plain")])
    return codes, space._replace(span=np.array([4.0, 1.0, n - 1]))


@pytest.mark.parametrize("mode", ["strict", "relaxed"])
def test_threads_and_slices_do_not_change_the_partitions(
    mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rule = CutRule(7, mode == "relaxed", WIDEST)
    several = []
    for n in (1, 2, 5):
        with mv.settings.using(threads=n):
            several.append(mondrian(*large(), rule))
    monkeypatch.setattr(module, "N_SLICES", 1)
    whole = mondrian(*large(), rule)
    for found in several:
        assert np.array_equal(found.order, whole.order)
        assert np.array_equal(found.starts, whole.starts)
    assert np.diff(whole.starts, append=150_000).min() >= 7


def test_a_slice_that_cannot_be_cut_ends_the_search_for_slices() -> None:
    codes = np.zeros((1, 100_000), dtype=np.int32)
    assert len(mondrian(codes, space_of([Column("plain")]), CutRule(2, True, WIDEST)).starts) == 1


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
        mondrian(codes, space_of([Column("plain")]), CutRule(k, False, WIDEST))
