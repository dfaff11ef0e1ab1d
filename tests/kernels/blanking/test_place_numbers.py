from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import microveil.kernels.blanking.place_numbers as module
from microveil.arrays import Ints, Longs
from microveil.cores import settings
from microveil.kernels.blanking.packed_rows import missing_bits, strides
from microveil.kernels.blanking.place_numbers import (
    Numbers,
    number_places,
    rows_at_places,
    rows_of_places,
)

MASKS = np.array([0, 1, 2, 4, 3, 7])


def numbered(codes: Ints, rare: Longs) -> Numbers:
    return number_places(codes, rare, missing_bits(codes), MASKS, strides(codes))


def naive_places(codes: Ints, rare: Longs) -> tuple[list[int], list[int]]:
    """Place of each pair, and the blank cells of each place, by a dictionary of tuples."""
    places: dict[tuple[int, ...], int] = {}
    found, blank = [], []
    for row in rare:
        seen = set()
        for mask in MASKS:
            cells = tuple(-1 if mask >> j & 1 else int(one) for j, one in enumerate(codes[row]))
            if -1 not in cells or cells in seen:
                found.append(-1)
                continue
            seen.add(cells)
            if cells not in places:
                places[cells] = len(places)
                blank.append(sum(1 << j for j, one in enumerate(cells) if one < 0))
            found.append(places[cells])
    return found, blank


def rows(seed: int, n: int) -> Ints:
    drawn = np.random.default_rng(seed).integers(-1, 4, (n, 3)).astype(np.int32)
    return np.unique(drawn, axis=0)


@given(st.integers(0, 1000), st.integers(1, 60))
def test_places_are_those_of_a_dictionary(seed: int, n: int) -> None:
    codes = rows(seed, n)
    rare = np.arange(0, len(codes), 2)
    found, blank = naive_places(codes, rare)
    numbers = numbered(codes, rare)
    assert numbers.place.tolist() == found
    assert numbers.blank.tolist() == blank
    of_place, start = rows_of_places(numbers, rare)
    pairs = [(one, int(rare[at // len(MASKS)])) for at, one in enumerate(found) if one >= 0]
    expected = [[row for place, row in pairs if place == one] for one in range(len(blank))]
    assert [of_place[a:b].tolist() for a, b in pairwise(start)] == expected


@pytest.fixture(params=[1, 2, 3, 7])
def threads(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(module, "PAIRS", 16)
    monkeypatch.setattr(module, "BLOCK", 5)
    number: int = request.param
    return number


def test_parts_and_threads_do_not_change_places(threads: int) -> None:
    codes = rows(3, 90)
    rare = np.arange(0, len(codes), 2)
    others = np.arange(1, len(codes), 2)
    found, blank = naive_places(codes, rare)
    with settings.using(threads=threads):
        numbers = numbered(codes, rare)
        standing = rows_at_places(numbers, codes, others, strides(codes))
        of_place, start = rows_of_places(numbers, rare)
    assert len(numbers.pairs.start) > 2
    assert (numbers.place.tolist(), numbers.blank.tolist()) == (found, blank)
    naive: Callable[[int], tuple[int, ...]] = lambda row: tuple(codes[row].tolist())  # noqa: E731
    for place, row in enumerate(standing.tolist()):
        example = codes[of_place[start[place]]].copy()
        example[[bool(numbers.blank[place] >> j & 1) for j in range(3)]] = -1
        same = [other for other in others.tolist() if naive(other) == tuple(example.tolist())]
        assert row == (same[0] if same else -1)
