from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.kernels.lattice.rules import no_rules
from microveil.kernels.recoding.anneal import Aim, anneal_recoding
from microveil.kernels.recoding.merge import paid_by_classes
from microveil.search.local_recoding.orders import orders_by_likeness
from tests.kernels.recoded import parts_of, rows, space_of


@settings(max_examples=30, deadline=None)
@given(rows, st.integers(2, 4), st.integers(0, 2**32))
def test_annealing_keeps_k_and_never_loses(
    records: list[tuple[int, ...]], k: int, seed: int
) -> None:
    space = space_of(records)
    if space.n_records < k:
        return
    codes = np.ascontiguousarray(space.codes[space.row_of_record])
    ones, parts, nothing = np.ones(len(codes), dtype=np.int64), parts_of(codes), no_rules()
    start = (np.arange(len(codes)) % max(len(codes) // k, 1)).astype(np.int32)
    nearby = orders_by_likeness(codes, space, 4, np.random.default_rng(1))
    word = np.array([seed], dtype=np.uint64)
    aim = Aim(k, 3000, 0, 1.0)
    labels, out = anneal_recoding(parts, start, space.trees, nearby, word, aim, nothing)
    again, _ = anneal_recoding(parts, start, space.trees, nearby, word, aim, nothing)
    assert (labels == again).all()
    assert not out.any()
    assert np.bincount(labels).min() >= k
    before = paid_by_classes(codes, ones, start, space.trees)
    assert paid_by_classes(codes, ones, labels, space.trees) <= before + 1e-9


def test_what_is_left_out_pays_more_than_it_costs() -> None:
    # One stranger makes every label of eight equal records coarse.
    space = space_of([(0, 0, 0)] * 8 + [(5, 3, 2)])
    codes = np.ascontiguousarray(space.codes[space.row_of_record])
    parts, zeros = parts_of(codes), np.zeros(9, dtype=np.int32)
    nearby = orders_by_likeness(codes, space, 2, np.random.default_rng(1))
    word = np.array([1], dtype=np.uint64)
    for most, expected in [(0, 0), (3, 1)]:
        aim = Aim(5, 0, most, 1.0)
        _, out = anneal_recoding(parts, zeros, space.trees, nearby, word, aim, no_rules())
        assert out.sum() == expected
        assert not out.any() or space.row_of_record[out == 1].tolist() == [1]
