import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.arrays import Floats
from microveil.kernels.neighbours.kd_search import (
    Search,
    farthest_record,
    nearest_records,
    new_search,
)
from microveil.kernels.neighbours.kd_tree import KdTree, build_tree, remove_record
from tests.kernels.casc import tables


def _distances(points: Floats, query: Floats) -> Floats:
    total = np.zeros(len(points))
    for j in range(points.shape[1]):
        total += (points[:, j] - query[j]) ** 2
    return total


def _scan_nearest(points: Floats, live: list[int], query: Floats, wanted: int) -> set[int]:
    distances = _distances(points, query)
    return set(sorted(live, key=lambda record: (distances[record], -record))[:wanted])


def _scan_farthest(points: Floats, live: list[int], query: Floats) -> int:
    distances = _distances(points, query)
    return min(live, key=lambda record: (-distances[record], record))


def _opened(tree: KdTree, search: Search, query: Floats, wanted: int) -> int:
    """Leaves that a search for the nearest looks into."""
    search.state[1] = 0
    nearest_records(tree, search, query, wanted)
    return int(search.state[1])


@given(tables(), st.integers(0, 6), st.integers(0, 2**32 - 1))
@settings(deadline=None, max_examples=80)
def test_queries_equal_a_scan_while_records_leave(points: Floats, wanted: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    tree, search = build_tree(points), new_search(wanted)
    live = list(range(len(points)))
    for record in rng.permutation(len(points)):
        query = points[rng.integers(len(points))] + rng.choice([0.0, 0.5])
        nearest_records(tree, search, query, wanted)
        found = set(search.records[: search.state[0]].tolist())
        assert found == _scan_nearest(points, live, query, wanted)
        assert farthest_record(tree, search, query, query, np.inf) == _scan_farthest(
            points, live, query
        )
        remove_record(tree, record)
        live.remove(record)
    assert farthest_record(tree, search, points[0], points[0], np.inf) == -1


@given(tables(least=2), st.integers(0, 2**32 - 1))
@settings(deadline=None)
def test_a_ball_around_all_records_changes_no_farthest_record(points: Floats, seed: int) -> None:
    rng = np.random.default_rng(seed)
    centre = points.mean(axis=0)
    radius = _distances(points, centre).max()
    query = points[rng.integers(len(points))]
    reach = 2 * (radius + ((query - centre) ** 2).sum()) * (1 + 1e-10)
    tree, search = build_tree(points), new_search(1)
    found = farthest_record(tree, search, query, 2 * centre - query, reach)
    assert found == _scan_farthest(points, list(range(len(points))), query)


def test_a_search_opens_few_leaves() -> None:
    points = np.random.default_rng(0).random((4096, 2))
    tree, search = build_tree(points), new_search(5)
    opened = [_opened(tree, search, query, 5) for query in points[:200]]
    assert np.mean(opened) < 8
    assert max(opened) < 30  # of 512
    search.state[1] = 0
    for query in points[:50]:
        farthest_record(tree, search, query, query, np.inf)
    assert search.state[1] < 50 * 12


def test_a_ball_lets_a_search_for_the_farthest_skip_corners() -> None:
    rng = np.random.default_rng(1)
    points = rng.normal(size=(4096, 6))
    points /= np.sqrt((points**2).sum(axis=1, keepdims=True)) * (1 + 1e-9)
    tree, search = build_tree(points), new_search(1)
    counts = []
    for reach in (np.inf, 4.0 * (1 + 1e-10)):
        search.state[1] = 0
        for query in points[:40]:
            farthest_record(tree, search, query, -query, reach)
        counts.append(int(search.state[1]))
    assert counts[1] < 0.7 * counts[0]


def test_among_thousands_of_twins_the_winner_is_found_at_once() -> None:
    points = np.zeros((4096, 2))
    tree, search = build_tree(points), new_search(3)
    assert _opened(tree, search, points[0], 3) < 40
    assert sorted(search.records[:3].tolist()) == [4093, 4094, 4095]
    search.state[1] = 0
    assert farthest_record(tree, search, points[0], points[0], np.inf) == 0
    assert search.state[1] < 40


@given(st.integers(0, 2**32 - 1), st.integers(1, 4))
@settings(deadline=None, max_examples=40)
def test_records_that_almost_tie_are_told_apart(seed: int, d: int) -> None:
    # Distances that differ in the last bits only, in many leaves.
    rng = np.random.default_rng(seed)
    base = rng.normal(size=(6, d)) * 10.0 ** rng.integers(-3, 9)
    points = np.repeat(base, 40, axis=0)
    points += rng.integers(-3, 4, size=points.shape) * np.spacing(np.abs(points))
    tree, search = build_tree(points), new_search(7)
    everybody = list(range(len(points)))
    for query in (points[0], points[rng.integers(len(points))] * (1 + 1e-15), base.mean(axis=0)):
        nearest_records(tree, search, query, 7)
        found = set(search.records[: search.state[0]].tolist())
        assert found == _scan_nearest(points, everybody, query, 7)
        assert farthest_record(tree, search, query, query, np.inf) == _scan_farthest(
            points, everybody, query
        )
