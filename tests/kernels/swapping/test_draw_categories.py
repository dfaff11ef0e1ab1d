from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.arrays import Floats
from microveil.kernels.swapping.draw_categories import (
    CodeArray,
    draw_categories,
    draw_responses,
    ready,
)

SIXTEENTHS = 16


@st.composite
def matrices(draw: st.DrawFn) -> Floats:
    """Rows of sixteenths, so that every sum and bound is exact."""
    n = draw(st.integers(1, 5))
    cuts = st.lists(st.integers(0, SIXTEENTHS), min_size=n - 1, max_size=n - 1).map(sorted)
    rows = [np.diff([0, *draw(cuts), SIXTEENTHS]) / SIXTEENTHS for _ in range(n)]
    return np.array(rows, dtype=np.float64)


def one_by_one(codes: CodeArray, matrix: Floats, chance: Floats) -> list[int]:
    """The first category, itself before all others, at which the row's sum exceeds the chance."""
    drawn = []
    for code, number in zip(codes.tolist(), chance.tolist(), strict=True):
        if code < 0:
            drawn.append(code)
            continue
        turns = [code, *(other for other in range(len(matrix)) if other != code)]
        sums = np.cumsum([matrix[code, other] for other in turns])
        drawn.append(turns[int((sums <= number).sum())])
    return drawn


@given(matrices(), st.data())
def test_drawing_is_walking_along_the_row(matrix: Floats, data: st.DataObject) -> None:
    records = st.tuples(st.integers(-1, len(matrix) - 1), st.integers(0, 63))
    drawn = data.draw(st.lists(records, max_size=60))
    codes = np.array([code for code, _ in drawn], dtype=np.int16)
    # Between two bounds, where rounding cannot matter.
    chance = np.array([(number + 0.5) / 64 for _, number in drawn])
    result = draw_categories(codes, ready(matrix), chance)
    assert result.dtype == np.int16
    assert result.tolist() == one_by_one(codes, matrix, chance)


@given(st.integers(1, 40), st.integers(0, 2**32))
def test_what_has_no_probability_is_never_drawn(n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    matrix = rng.random((n, n)) * (rng.random((n, n)) < 0.4) + 1e-9 * np.eye(n)
    matrix /= matrix.sum(axis=1, keepdims=True)
    codes = rng.integers(0, n, 500).astype(np.int32)
    edges = np.array([0.0, np.nextafter(1.0, 0.0)])
    chance = np.where(rng.random(500) < 0.2, rng.choice(edges, 500), rng.random(500))
    assert (matrix[codes, draw_categories(codes, ready(matrix), chance)] > 0).all()


def test_an_even_sweep_of_chance_meets_the_matrix_exactly() -> None:
    matrix = np.array([[0.7, 0.2, 0.1], [0.0, 0.5, 0.5], [0.25, 0.25, 0.5]])
    chance = (np.arange(10_000) + 0.5) / 10_000
    for code, row in enumerate(matrix):
        codes = np.full(10_000, code, dtype=np.int16)
        shares = np.bincount(draw_categories(codes, ready(matrix), chance), minlength=3) / 10_000
        assert shares == pytest.approx(row, abs=2e-4)


def test_a_matrix_that_is_not_square_is_refused() -> None:
    with pytest.raises(ValueError, match="square"):
        ready(np.ones((2, 3)))


@pytest.mark.parametrize("n", [2, 3, 7])
def test_an_even_sweep_gives_every_other_answer_its_part(n: int) -> None:
    chance = (np.arange(60_000) + 0.5) / 60_000
    for code in range(n):
        codes = np.full(60_000, code, dtype=np.int16)
        shares = np.bincount(draw_responses(codes, n, 0.4, chance), minlength=n) / 60_000
        expected = np.full(n, 0.6 / (n - 1))
        expected[code] = 0.4
        assert shares == pytest.approx(expected, abs=5e-5)


@given(st.integers(1, 50), st.floats(0.01, 0.99), st.integers(0, 2**32))
def test_responses_are_categories_or_missing(n: int, keep: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    codes = rng.integers(-1, n, 200).astype(np.int16)
    chance = np.where(rng.random(200) < 0.2, np.nextafter(1.0, 0.0), rng.random(200))
    drawn = draw_responses(codes, n, keep, chance)
    assert ((drawn < 0) == (codes < 0)).all()
    assert (drawn < n).all()
    if n > 1:
        assert ((drawn == codes) == ((codes < 0) | (chance < keep))).all()


@given(st.integers(1, 90), st.integers(0, 2**32))
def test_a_category_is_found_as_a_search_among_all_bounds_finds_it(n: int, seed: int) -> None:
    """More and fewer categories than parts, many of them within one part, many impossible."""
    rng = np.random.default_rng(seed)
    matrix = rng.random((n, n)) ** rng.integers(1, 40) * (rng.random((n, n)) < 0.7) + np.eye(n)
    matrix /= matrix.sum(axis=1, keepdims=True)
    codes, chance = rng.integers(-1, n, 300).astype(np.int16), rng.random(300)
    draws = ready(matrix)
    by_search = draws._replace(parts=np.zeros(0, np.int64))
    found = draw_categories(codes, draws, chance)
    assert found.tolist() == draw_categories(codes, by_search, chance).tolist()
