from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from microveil.methods.decompose.anatomy import diverse_groups, largest_l


@given(st.lists(st.sampled_from([0, 1, 2, 3, 10**9]), max_size=40), st.integers(0, 99))
def test_no_group_has_a_value_twice_and_sizes_are_as_equal_as_can_be(
    values: list[int], seed: int
) -> None:
    codes = np.array(values, dtype=np.int64)
    most = largest_l(codes)
    assert most == (len(values) // max(Counter(values).values()) if values else 0)
    for size in range(1, most + 1):
        groups = diverse_groups(codes, size, np.random.default_rng(seed))
        members = Counter(groups.tolist())
        assert len(set(zip(groups.tolist(), values, strict=True))) == len(values)
        assert len(members) == len(values) // size
        assert max(members.values()) - min(members.values()) <= 1
        assert min(members.values()) >= size


def test_the_groups_follow_from_the_stream_and_tell_nothing_of_the_order() -> None:
    codes = np.arange(100) % 10
    one, same, other = (diverse_groups(codes, 5, np.random.default_rng(i)) for i in (1, 1, 2))
    assert one.tolist() == same.tolist()
    assert one.tolist() != other.tolist()
    assert diverse_groups(np.array([1, 2]), 3, np.random.default_rng(0)).tolist() == [0, 0]
