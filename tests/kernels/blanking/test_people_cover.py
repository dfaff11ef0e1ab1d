from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.kernels.blanking.people_cover import Stays, gather_people

Case = tuple[Any, Stays, int, Any]


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Distinct rows, the people who have each, k and masks."""
    m = draw(st.integers(1, 4))
    rows = draw(st.sets(st.tuples(*[st.integers(-1, 2)] * m), min_size=1, max_size=15))
    codes = np.array(sorted(rows), dtype=np.int32)
    people = [sorted(draw(st.sets(st.integers(0, 9), min_size=1, max_size=6))) for _ in rows]
    start = np.concatenate([[0], np.cumsum([len(who) for who in people])])
    person = np.array([one for who in people for one in who], dtype=np.int64)
    known = draw(st.sets(st.integers(1, 2**m - 1))) | {2**m - 1}
    stays = Stays(start, person, np.ones(len(person), dtype=np.int64))
    return codes, stays, draw(st.integers(2, 5)), np.array(sorted(known), dtype=np.int64)


@settings(max_examples=200, deadline=None)
@given(cases())
def test_people_move_to_blanker_rows_and_others_stay(case: Case) -> None:
    codes, stays, k, bits = case
    counts = np.diff(stays.start)
    rare = np.flatnonzero(counts < k)
    after = gather_people(codes, stays, k, rare, bits, np.ones(codes.shape[1]))
    before = np.repeat(np.arange(len(codes)), counts)
    old, new = codes[before], after.codes[after.row]
    assert ((old == new) | (new < 0)).all()
    if len(rare) == 0:
        assert after.row.tolist() == before.tolist()
    elif (codes[rare] >= 0).any():
        assert (old != new).any() or len(np.unique(stays.person)) < k


def test_a_person_who_comes_twice_counts_once() -> None:
    codes = np.array([[0, 0], [0, 1], [0, 2], [1, 0]], dtype=np.int32)
    stays = Stays(np.array([0, 1, 2, 3, 4]), np.array([7, 7, 8, 9]), np.ones(4, np.int64))
    rare = np.arange(4)
    after = gather_people(codes, stays, 3, rare, np.array([1, 2, 3]), np.ones(2))
    together = after.row[stays.person == 7]
    people = {int(one) for one in stays.person[np.isin(after.row, together)]}
    assert people == {7, 8, 9}


def test_all_columns_must_be_one_of_the_masks() -> None:
    stays = Stays(np.array([0, 1]), np.zeros(1, np.int64), np.ones(1, np.int64))
    with pytest.raises(ValueError, match="All columns together"):
        gather_people(
            np.zeros((1, 2), np.int32), stays, 2, np.array([0]), np.array([1]), np.ones(2)
        )
