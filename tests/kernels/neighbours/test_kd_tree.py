import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.arrays import Floats
from microveil.kernels.neighbours.kd_search import farthest_record, nearest_records, new_search
from microveil.kernels.neighbours.kd_tree import (
    LEAF,
    KdTree,
    build_tree,
    build_tree_over,
    drop_record,
    live_records,
    remove_record,
)
from tests.kernels.casc import tables


def members(tree: KdTree, node: int) -> list[int]:
    """Live records below a node."""
    child = int(tree.child[node])
    if child < 0:
        leaf = ~child
        return [int(one) for one in tree.records[leaf, : tree.filled[leaf]]]
    return members(tree, child) + members(tree, child + 1)


@given(tables(), st.integers(0, 2**32 - 1))
@settings(deadline=None, max_examples=50)
def test_boxes_and_spans_are_those_of_the_records_below(points: Floats, seed: int) -> None:
    rng = np.random.default_rng(seed)
    tree, live = build_tree(points), set(range(len(points)))
    for record in rng.permutation(len(points)).tolist():
        for node in range(len(tree.child)):
            rows = members(tree, node)
            if not rows:
                assert (tree.boxes[node, 0] == np.inf).all()
                continue
            assert tree.boxes[node, 0].tolist() == points[rows].min(axis=0).tolist()
            assert tree.boxes[node, 1].tolist() == points[rows].max(axis=0).tolist()
            # A span may stay too wide, never too narrow.
            assert tree.spans[node, 0] <= min(rows)
            assert tree.spans[node, 1] >= max(rows)
        assert set(members(tree, 0)) == set(live_records(tree, len(live)).tolist()) == live
        remove_record(tree, record)
        live.remove(record)
        assert tree.where[record] == -1


@given(tables(least=2))
@settings(deadline=None, max_examples=50)
def test_a_record_that_is_dropped_leaves_the_others_where_they_are_found(points: Floats) -> None:
    tree = build_tree(points)
    drop_record(tree, 0)
    for record in range(1, len(points)):
        leaf, slot = divmod(int(tree.where[record]), LEAF)
        assert tree.records[leaf, slot] == record
        assert tree.coordinates[leaf, :, slot].tolist() == points[record].tolist()


def test_a_tree_over_some_records_knows_only_those() -> None:
    points = np.arange(40.0).reshape(-1, 1)
    tree = build_tree_over(points, np.arange(10, 30, dtype=np.int32))
    assert sorted(live_records(tree, 20)) == list(range(10, 30))
    assert farthest_record(tree, new_search(1), points[39], points[39], np.inf) == 10


def test_boxes_shrink_when_records_leave() -> None:
    points = np.random.default_rng(2).random((4096, 2))
    tree, search = build_tree(points), new_search(3)
    for record in np.flatnonzero(points[:, 0] < 0.9).tolist():
        remove_record(tree, record)
    # All that is left lies at the far side; leaves that are empty are not looked into.
    queries = np.column_stack([np.full(50, 0.05), np.linspace(0, 1, 50)])
    for query in queries:
        nearest_records(tree, search, query, 3)
    assert search.state[1] < 12 * len(queries)
    left = np.flatnonzero(points[:, 0] >= 0.9)
    root = tree.boxes[0]
    assert root[0].tolist() == points[left].min(axis=0).tolist()
    assert root[1].tolist() == points[left].max(axis=0).tolist()
