from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.kernels.lattice.crowds import Holdings, lonely_classes, rare_classes

N_CLASSES = 5
records = st.lists(
    st.tuples(st.integers(0, 6), st.integers(0, N_CLASSES - 1), st.booleans()), max_size=40
)


def holdings(people: list[int]) -> Holdings:
    order = np.argsort(people, kind="stable")
    starts = np.searchsorted(np.array(people, dtype=np.int64)[order], np.arange(8))
    return Holdings(starts.astype(np.int64), order.astype(np.int32))


@given(records, st.integers(1, 4))
@settings(deadline=None)
def test_classes_with_too_few_people_are_found(
    rows: list[tuple[int, int, bool]], least: int
) -> None:
    of_record = np.array([group for _, group, _ in rows], dtype=np.int32)
    kept = np.array([flag for *_, flag in rows], dtype=np.bool_)
    found = lonely_classes(of_record, N_CLASSES, kept, holdings([p for p, *_ in rows]), least)
    for group in range(N_CLASSES):
        people = {person for person, own, flag in rows if flag and own == group}
        assert found[group] == (0 < len(people) < least)


@given(records, st.integers(1, 4))
@settings(deadline=None)
def test_classes_of_people_with_a_rare_set_are_found(
    rows: list[tuple[int, int, bool]], least: int
) -> None:
    of_record = np.array([group for _, group, _ in rows], dtype=np.int32)
    kept = np.array([flag for *_, flag in rows], dtype=np.bool_)
    found = rare_classes(of_record, N_CLASSES, kept, holdings([p for p, *_ in rows]), least)
    own = {p: frozenset(g for q, g, flag in rows if flag and q == p) for p, *_ in rows}
    often = Counter(own.values())
    rare = {group for one in own.values() if often[one] < least for group in one}
    assert np.flatnonzero(found).tolist() == sorted(rare)
