import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.kernels.nth_smallest import nth_smallest

codes = st.lists(st.integers(-1, 8) | st.integers(-1, 2**31 - 1), min_size=1, max_size=200)


@given(codes, st.data())
@settings(max_examples=200)
def test_it_is_the_entry_of_the_sorted_codes(numbers: list[int], data: st.DataObject) -> None:
    n = data.draw(st.integers(0, len(numbers) - 1))
    assert nth_smallest(np.array(numbers, dtype=np.int32), n) == sorted(numbers)[n]


@pytest.mark.parametrize("high", [1, 3000, 2**31 - 1])
def test_many_codes_are_narrowed_down_round_by_round(high: int) -> None:
    numbers = np.random.default_rng(0).integers(-1, high, 50_000).astype(np.int32)
    kept = numbers.copy()
    for n in (0, 1, 24_999, 49_999):
        assert nth_smallest(numbers, n) == np.sort(numbers)[n]
    assert np.array_equal(numbers, kept)


def test_a_position_that_is_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match="no position 2"):
        nth_smallest(np.zeros(2, dtype=np.int32), 2)
