from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from microveil.kernels.mondrian.summaries import code_ranges, distinct_codes, medians, modes

partitions = st.lists(st.lists(st.integers(-1, 5), min_size=1, max_size=8), min_size=1, max_size=6)


@given(partitions)
def test_summaries_are_those_of_each_partition_by_itself(parts: list[list[int]]) -> None:
    codes = np.array([code for part in parts for code in part], dtype=np.int32)
    sizes = np.array([len(part) for part in parts], dtype=np.int64)
    starts = np.cumsum(sizes) - sizes
    low, high = code_ranges(codes, starts)
    assert low.tolist() == [min(part) for part in parts]
    assert high.tolist() == [max(part) for part in parts]
    assert medians(codes, starts).tolist() == [sorted(part)[(len(part) - 1) // 2] for part in parts]
    most = [max(Counter(part).values()) for part in parts]
    assert modes(codes, starts).tolist() == [
        min(code for code in part if part.count(code) == count)
        for part, count in zip(parts, most, strict=True)
    ]
    found, counts = distinct_codes(codes, starts)
    assert counts.tolist() == [len(set(part)) for part in parts]
    assert found.tolist() == [code for part in parts for code in sorted(set(part))]
