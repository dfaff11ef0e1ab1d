"""Mending: classes that are too small, or that violate a model, are merged with the nearest."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from microveil.arrays import Ints, Longs
from microveil.search.local_recoding.orders import orders_by_likeness
from microveil.search.local_recoding.space import RecodingSpace

if TYPE_CHECKING:
    from microveil.kernels.recoding.merge import Merging, Nearby

Judge = Callable[[Ints, int], NDArray[np.bool_]]
"""Given the class of each record and the number of classes, returns which satisfy all models."""

N_ORDERS = 12
FAR = 3
"""Initial distance, in each order, within which a class looks for one to merge with."""


def merge_small(
    space: RecodingSpace, codes: Ints, weights: Longs, labels: Ints, nearby: Nearby, k: int
) -> Ints:
    """Merge rows without a class (−1) and small classes; return the class of each row, from 0."""

    def small(merging: Merging) -> Ints:
        wanting = (merging.size > 0) & (merging.size < k)
        return np.flatnonzero(wanting).astype(np.int32)

    return _merge(space, codes, weights, labels, nearby, small)


def mend(
    space: RecodingSpace, labels: Ints, k: int, judge: Judge | None, rng: np.random.Generator
) -> Ints:
    """Merge classes that are too small, or that a judge refuses, until none is left.

    Records without a class (−1) start as classes of their own. If not even one class of all records
    is acceptable, that single class is returned.
    """
    n_labels = int(labels.max(initial=-1)) + 2
    pairs, of_record = np.unique(space.row_of_record * n_labels + labels + 1, return_inverse=True)
    rows, classes = pairs // n_labels, (pairs % n_labels - 1).astype(np.int32)
    codes = np.ascontiguousarray(space.codes[rows])
    weights = np.bincount(of_record).astype(np.int64)

    def find_refused(merging: Merging) -> Ints:
        small = np.flatnonzero((merging.size > 0) & (merging.size < k))
        if len(small) or judge is None:
            return small.astype(np.int32)
        names, numbers = np.unique(merging.labels, return_inverse=True)
        kept = judge(numbers.astype(np.int32)[of_record], len(names))
        return names[~kept].astype(np.int32)

    nearby = orders_by_likeness(codes, space, N_ORDERS, rng)
    return _merge(space, codes, weights, classes, nearby, find_refused)[of_record]


def _merge(
    space: RecodingSpace,
    codes: Ints,
    weights: Longs,
    labels: Ints,
    nearby: Nearby,
    wanting: Callable[[Merging], Ints],
) -> Ints:
    from microveil.kernels.recoding.merge import merge_nearest, open_merging

    alone = labels < 0
    start = labels.copy()
    start[alone] = int(labels.max(initial=-1)) + 1 + np.arange(int(alone.sum()))
    merging = open_merging(codes, weights, start, space.trees)
    reach = FAR
    while int((merging.size > 0).sum()) > 1 and len(found := wanting(merging)):
        if merge_nearest(merging, space.trees, nearby, found, reach) == 0:
            reach *= 2
    return np.unique(merging.labels, return_inverse=True)[1].astype(np.int32)
