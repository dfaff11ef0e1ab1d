import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.kernels.jit import Floats
from microveil.kernels.neighbours.kd_search import farthest_record, nearest_records, new_search
from microveil.kernels.neighbours.kd_tree import (
    build_tree,
    build_tree_over,
    live_records,
    remove_record,
)
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


def test_a_tree_over_some_records_knows_only_those() -> None:
    points = np.arange(40.0).reshape(-1, 1)
    tree = build_tree_over(points, np.arange(10, 30, dtype=np.int32))
    assert sorted(live_records(tree, 20)) == list(range(10, 30))
    assert farthest_record(tree, new_search(1), points[39], points[39], np.inf) == 10
