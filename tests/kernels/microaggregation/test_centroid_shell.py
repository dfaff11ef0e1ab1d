import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.arrays import Floats
from microveil.kernels.microaggregation.centroid_shell import list_shell, read_shell
from microveil.kernels.neighbours.kd_tree import build_tree, remove_record
from tests.kernels.casc import tables


def farthest(points: Floats, live: list[int], centre: Floats) -> int:
    total = np.zeros(len(points))
    for j in range(points.shape[1]):
        total += (points[:, j] - centre[j]) ** 2
    return min(live, key=lambda record: (-total[record], record))


@given(tables(least=3, most=60), st.integers(0, 2**32 - 1))
@settings(deadline=None, max_examples=80)
def test_a_shell_names_the_farthest_or_nobody(points: Floats, seed: int) -> None:
    rng = np.random.default_rng(seed)
    tree, live = build_tree(points), list(range(len(points)))
    centre = points.mean(axis=0)
    shell = list_shell(points, tree, centre, len(live))
    assert read_shell(shell, tree, centre) == farthest(points, live, centre)
    for record in rng.permutation(len(points))[:-1].tolist():
        remove_record(tree, record)
        live.remove(record)
        centre = points[live].mean(axis=0)  # drifts as records leave
        found = read_shell(shell, tree, centre)
        if found < 0:  # not deep enough: it has to be listed anew
            shell = list_shell(points, tree, centre, len(live))
            found = read_shell(shell, tree, centre)
        assert found == farthest(points, live, centre)


def test_records_that_almost_tie_are_told_apart() -> None:
    # All on one circle but for the last bits, seen from a centre that drifts a little.
    for seed in range(40):
        rng = np.random.default_rng(seed)
        angle = rng.uniform(0, 2 * np.pi, 400)
        points = np.column_stack([np.cos(angle), np.sin(angle)])
        points += rng.integers(-2, 3, points.shape) * 1e-16
        tree, live = build_tree(points), list(range(400))
        centre = points.mean(axis=0)
        shell = list_shell(points, tree, centre, 400)
        for drift in (0.0, 1e-17, 1e-13, 1e-9, 1e-3):
            moved = centre + drift
            found = read_shell(shell, tree, moved)
            assert found in (-1, farthest(points, live, moved))
        assert read_shell(shell, tree, centre) == farthest(points, live, centre)


def test_a_shell_is_read_to_a_small_part() -> None:
    points = np.random.default_rng(1).normal(size=(5000, 3))
    tree, centre = build_tree(points), points.mean(axis=0)
    shell = list_shell(points, tree, centre, 5000)
    assert len(shell.records) < 1000
    for _ in range(50):
        assert read_shell(shell, tree, centre + 1e-6) >= 0
    assert shell.state[1] < 50 * 20
