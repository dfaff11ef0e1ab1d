import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.arrays import Floats, Longs
from microveil.kernels.swapping.rotate_pairs import rotate_pairs


def naive(points: Floats, order: Longs, cosine: float) -> Floats:
    """The same as a product with the whole orthogonal matrix."""
    matrix = np.eye(len(points))
    sine = np.sqrt(1 - cosine**2)
    for one, two in zip(order[0::2], order[1::2], strict=False):
        matrix[one, one] = matrix[two, two] = cosine
        matrix[one, two], matrix[two, one] = sine, -sine
    return np.asarray(matrix @ points)


@given(st.integers(1, 30), st.integers(0, 3), st.floats(-1, 1), st.integers(0, 99))
def test_rotations_are_a_product_with_an_orthogonal_matrix(
    n: int, p: int, cosine: float, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    points, order = rng.normal(size=(n, p)), rng.permutation(n)[: rng.integers(0, n + 1)]
    rotated = points.copy()
    rotate_pairs(rotated, order, cosine)
    assert np.allclose(rotated, naive(points, order, cosine))
    assert np.allclose(rotated.T @ rotated, points.T @ points)


def test_impossible_requests_are_refused() -> None:
    with pytest.raises(ValueError, match="cosine"):
        rotate_pairs(np.zeros((2, 1)), np.array([0, 1]), 1.5)
    with pytest.raises(ValueError, match="once at most"):
        rotate_pairs(np.zeros((1, 1)), np.array([0, 1]), 0.5)
