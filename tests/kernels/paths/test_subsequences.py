from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.kernels.jit import always_compiled
from microveil.kernels.paths.subsequences import Index, index_paths, least_support, rare_points

paths_of_all = st.lists(st.lists(st.integers(0, 4), max_size=6), min_size=1, max_size=8)


def indexed(paths: list[list[int]]) -> Index:
    offsets = np.cumsum([0, *map(len, paths)])
    items = np.array([item for path in paths for item in path], dtype=np.int32)
    return index_paths(offsets, items, 5)


def contains(path: list[int], piece: tuple[int, ...]) -> bool:
    rest = iter(path)
    return all(item in rest for item in piece)


def naive_least(paths: list[list[int]], m: int) -> list[int]:
    found = []
    for path in paths:
        pieces = set(combinations(path, min(m, len(path))))
        shared = [sum(contains(other, piece) for other in paths) for piece in pieces]
        found.append(min(shared) if path else 0)
    return found


@given(paths=paths_of_all, m=st.integers(1, 4))
@settings(max_examples=60)
def test_the_fewest_paths_that_share_a_piece_are_counted(paths: list[list[int]], m: int) -> None:
    assert least_support(indexed(paths), m).tolist() == naive_least(paths, m)


@given(paths=paths_of_all, m=st.integers(1, 3), k=st.integers(2, 4))
@settings(max_examples=60)
def test_no_piece_that_was_rare_is_left(paths: list[list[int]], m: int, k: int) -> None:
    gone = rare_points(indexed(paths), k, m)
    ends = np.cumsum([0, *map(len, paths)])
    for path, low, high in zip(paths, ends[:-1], ends[1:], strict=True):
        left = [item for item, out in zip(path, gone[low:high], strict=True) if not out]
        for size in range(1, m + 1):
            for piece in set(combinations(left, size)):
                assert sum(contains(other, piece) for other in paths) >= k
    if min(naive_least(paths, m)) >= k:
        assert not gone.any()


def test_machine_code_gives_the_same() -> None:
    paths = [[0, 1, 2, 1], [1, 2, 0], [2, 2, 3], [], [0, 1, 2, 3, 4]]
    plain = least_support(indexed(paths), 3), rare_points(indexed(paths), 2, 3)
    with always_compiled():
        compiled = least_support(indexed(paths), 3), rare_points(indexed(paths), 2, 3)
    assert [one.tolist() for one in plain] == [one.tolist() for one in compiled]
