from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from microveil.kernels.blanking.packed_rows import missing_bits
from microveil.kernels.blanking.wildcard_cover import Rare, cover
from microveil.kernels.blanking.wildcard_matches import wildcard_matches

Case = tuple[Any, Any, int, Any, Any]


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Distinct rows, their records, k, masks, and costs where a mask makes a row safe."""
    m = draw(st.integers(2, 4))
    rows = draw(st.sets(st.tuples(*[st.integers(-1, 2)] * m), min_size=2, max_size=16))
    codes = np.array(sorted(rows), dtype=np.int32)
    counts = np.array(draw(st.lists(st.integers(1, 3), min_size=len(codes), max_size=len(codes))))
    k = draw(st.integers(2, 5))
    assume(counts.sum() >= k)
    known = draw(st.sets(st.integers(1, 2**m - 2))) | {2**m - 1}
    bits = np.array(sorted(known), dtype=np.int64)
    costs = np.array([[mask.bit_count() for mask in bits.tolist()]] * len(codes), dtype=float).T
    for number, mask in enumerate(bits.tolist()):
        safe = wildcard_matches(codes, counts, np.arange(len(codes)), mask) >= k
        costs[number, ~safe] = np.inf
    return codes, counts, k, bits, costs


def chosen(case: Case) -> tuple[Any, Any]:
    """What the kernel chooses, rows numbered among all rows; and which rows are rare."""
    codes, counts, k, bits, costs = case
    matches = wildcard_matches(codes, counts, np.arange(len(codes)))
    rare = np.flatnonzero(matches < k)
    part = codes[rare]
    need = Rare(part, missing_bits(part), counts[rare], k - matches[rare])
    pairs = cover(need, bits, np.ascontiguousarray(costs[:, rare]))
    return np.column_stack([rare[pairs[:, 0]], pairs[:, 1]]), rare


def records(case: Case, pairs: Any) -> list[tuple[int, ...]]:
    """All records with the chosen ones blanked."""
    codes, counts, _, bits, _ = case
    rows = [list(codes[row]) for row in np.repeat(np.arange(len(codes)), counts)]
    start = np.cumsum(counts) - counts
    used = [0] * len(codes)
    for row, mask in pairs.tolist():
        record = rows[start[row] + used[row]]
        used[row] += 1
        for column in range(len(record)):
            if bits[mask] >> column & 1:
                record[column] = -1
    return [tuple(int(code) for code in row) for row in rows]


def n_unsafe(rows: list[tuple[int, ...]], k: int) -> int:
    def match(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
        if -1 not in one and set(other) == {-1}:
            return False
        return all(-1 in pair or pair[0] == pair[1] for pair in zip(one, other, strict=True))

    return sum(sum(match(one, other) for other in rows) < k for one in rows)


@settings(max_examples=300, deadline=None)
@given(cases())
def test_every_record_is_matched_by_k_and_none_is_blanked_in_vain(case: Case) -> None:
    pairs, rare = chosen(case)
    after = records(case, pairs)
    assert set(pairs[:, 0].tolist()) <= set(rare.tolist())
    assert (np.bincount(pairs[:, 0], minlength=len(case[1])) <= case[1]).all()
    if any(set(row) == {-1} for row in after):
        return  # Such records may be lost for complete ones, which another pass has to mend.
    assert n_unsafe(after, case[2]) == 0
    for i in range(len(pairs)):
        assert n_unsafe(records(case, np.delete(pairs, i, axis=0)), case[2]) > 0


@settings(max_examples=100, deadline=None)
@given(cases())
def test_the_same_rows_give_the_same_choice(case: Case) -> None:
    assert np.array_equal(chosen(case)[0], chosen(case)[0])


def test_one_blanked_record_serves_all_rows_it_matches() -> None:
    codes = np.array([[0, 0], [0, 1], [0, 2], [0, 3]], dtype=np.int32)
    ones = np.ones(4, dtype=np.int64)
    rare = Rare(codes, missing_bits(codes), ones, ones)
    assert len(cover(rare, np.array([2]), np.ones((1, 4)))) == 1


def test_costs_that_leave_a_row_without_help_are_refused() -> None:
    codes = np.zeros((1, 1), dtype=np.int32)
    one = np.ones(1, dtype=np.int64)
    rare = Rare(codes, missing_bits(codes), one, one)
    with pytest.raises(ValueError, match="needs a mask"):
        cover(rare, np.array([1]), np.full((1, 1), np.inf))
    with pytest.raises(ValueError, match="cost each"):
        cover(rare, np.array([1]), np.ones((2, 1)))
