import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from microveil.arrays import Floats
from microveil.kernels.stable_order import stable_order

values = hnp.arrays(
    np.float64, st.integers(0, 200), elements=st.sampled_from([0.0, -0.0, 1.0, -2.5, 1e300, 7.0])
)


@given(values)
def test_the_order_is_that_of_a_stable_sort(numbers: Floats) -> None:
    assert stable_order(numbers).tolist() == np.argsort(numbers, kind="stable").tolist()
