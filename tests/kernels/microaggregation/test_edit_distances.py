"""Edit distances, beside the recursion that defines them."""

from __future__ import annotations

from functools import cache

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.kernels.microaggregation.edit_distances import edit_distances

Word = tuple[int, ...]


@cache
def edits(first: Word, second: Word) -> int:
    if not first or not second:
        return len(first) + len(second)
    return min(
        edits(first[1:], second) + 1,
        edits(first, second[1:]) + 1,
        edits(first[1:], second[1:]) + (first[0] != second[0]),
    )


@given(st.lists(st.lists(st.integers(0, 3), max_size=6).map(tuple), min_size=1, max_size=6))
@settings(deadline=None)
def test_all_pairs_are_those_of_the_recursion(words: list[Word]) -> None:
    symbols = np.array([symbol for word in words for symbol in word], dtype=np.int32)
    starts = np.cumsum([0, *map(len, words)])
    expected = [[edits(first, second) for second in words] for first in words]
    assert edit_distances(symbols, starts).tolist() == expected


def test_many_sequences_are_shared_out_to_all_cores() -> None:
    n = 200
    apart = edit_distances(np.arange(n, dtype=np.int32), np.arange(n + 1))
    assert (apart == 1 - np.eye(n)).all()
