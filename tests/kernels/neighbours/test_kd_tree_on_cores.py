from __future__ import annotations

import numpy as np

from microveil.arrays import Ints
from microveil.cores import settings, shared_pool
from microveil.kernels.neighbours.kd_tree import (
    KdTree,
    build_tree_over,
    mark_record,
    remove_record,
)
from microveil.kernels.neighbours.kd_tree_on_cores import build_parted_tree, drop_on_cores

POINTS = np.round(2 * np.random.default_rng(1).normal(size=(1200, 3)), 1)
LIVE: Ints = np.arange(0, 1200, 2, dtype=np.int32)


def assert_equal(found: KdTree, expected: KdTree) -> None:
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_tree_built_by_threads_is_the_tree_of_one() -> None:
    with settings.using(threads=3), shared_pool(3) as pool:
        found = build_parted_tree(POINTS, LIVE, pool).tree
    assert_equal(found, build_tree_over(POINTS, LIVE))


def test_records_that_threads_drop_leave_the_boxes_that_one_thread_leaves() -> None:
    gone = np.random.default_rng(2).permutation(LIVE)[:300].astype(np.int32)
    expected = build_tree_over(POINTS, LIVE)
    with settings.using(threads=3), shared_pool(3) as pool:
        parted = build_parted_tree(POINTS, LIVE, pool)
        for record in gone:
            mark_record(parted.tree, record)
            remove_record(expected, record)
        drop_on_cores(parted, gone, pool)
    np.testing.assert_array_equal(parted.tree.boxes, expected.boxes)
    np.testing.assert_array_equal(parted.tree.filled, expected.filled)
    assert ((parted.tree.where >= 0) == (expected.where >= 0)).all()
