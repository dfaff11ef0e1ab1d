from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from microveil.methods.km_anonymize.suppression import remove_rare
from microveil.privacy.parts.itemsets import Baskets


def baskets_of(sets: list[set[int]]) -> Baskets:
    pairs = [(record, item) for record, one in enumerate(sets) for item in sorted(one)]
    records, items = (np.array([pair[i] for pair in pairs], dtype=np.int64) for i in (0, 1))
    return Baskets(records, items, len(sets), 6)


@given(st.lists(st.sets(st.integers(0, 5), max_size=4), min_size=1, max_size=20), st.integers(2, 3))
def test_what_stays_has_no_rare_pair(sets: list[set[int]], k: int) -> None:
    baskets = baskets_of(sets)
    kept = remove_rare(baskets, k, 2, len(baskets.items))
    assert kept is not None
    left: dict[int, list[int]] = {}
    for record, item in zip(baskets.records[kept], baskets.items[kept], strict=True):
        left.setdefault(int(record), []).append(int(item))
    support: dict[tuple[int, ...], int] = {}
    for one in left.values():
        for size in (1, 2):
            for some in combinations(sorted(one), size):
                support[some] = support.get(some, 0) + 1
    assert min(support.values(), default=k) >= k


def test_more_than_allowed_is_not_removed() -> None:
    baskets = baskets_of([{1}, {2}, {3, 4}])
    assert remove_rare(baskets, 2, 2, 3) is None
    assert remove_rare(baskets_of([{1, 2}, {1, 2}]), 2, 2, 0) is not None
