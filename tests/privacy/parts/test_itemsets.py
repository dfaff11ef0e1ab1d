from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.privacy.parts import itemsets
from microveil.privacy.parts.itemsets import Baskets, rare_itemsets

records = st.lists(st.sets(st.integers(0, 4)), min_size=1, max_size=10)


def baskets_of(table: list[set[int]]) -> Baskets:
    entries = [(at, item) for at, items in enumerate(table) for item in sorted(items)]
    both = np.array(entries, dtype=np.int64).reshape(-1, 2)
    return Baskets(both[:, 0], both[:, 1], len(table), 5)


@pytest.mark.parametrize("block", [1, 1 << 23])
@given(table=records, k=st.integers(2, 4), m=st.integers(1, 3))
def test_sets_are_counted_as_by_hand(block: int, table: list[set[int]], k: int, m: int) -> None:
    def sets(items: set[int]) -> list[tuple[int, ...]]:
        return [one for size in range(1, m + 1) for one in combinations(sorted(items), size)]

    counts = Counter(one for items in table for one in sets(items))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(itemsets, "BLOCK", block)
        found = rare_itemsets(baskets_of(table), k, m)
    assert found.least == min(counts.values(), default=0)
    expected = [any(counts[one] < k for one in sets(items)) for items in table]
    assert found.exposed.tolist() == expected
