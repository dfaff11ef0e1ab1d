import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from microveil.arrays import Floats
from microveil.cores import settings
from microveil.kernels.stable_order import stable_order, stable_order_on_cores

values = hnp.arrays(
    np.float64, st.integers(0, 200), elements=st.sampled_from([0.0, -0.0, 1.0, -2.5, 1e300, 7.0])
)


@given(values)
def test_the_order_is_that_of_a_stable_sort(numbers: Floats) -> None:
    assert stable_order(numbers).tolist() == np.argsort(numbers, kind="stable").tolist()


@pytest.mark.parametrize("threads", [1, 2, 3, 7])
@pytest.mark.parametrize("n", [0, 1, 8, 9, 100, 333])
def test_blocks_on_threads_have_the_same_order(
    n: int, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("microveil.kernels.stable_order.BLOCK", 8)
    numbers = np.random.default_rng(n).integers(0, 9, n).astype(np.float64)
    with settings.using(threads=threads):
        found = stable_order_on_cores(numbers)
    assert found.tolist() == np.argsort(numbers, kind="stable").tolist()
