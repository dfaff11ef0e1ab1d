import numpy as np

from microveil.synthesis.private.compression import compress
from microveil.synthesis.private.marginals import CodedTable

COUNTS = np.array([500.0, 12.0, 300.0, -5.0, 1.0])


def test_values_that_noise_hides_become_one_and_come_back_by_their_counts() -> None:
    compression = compress([COUNTS], 10.0)
    assert compression.sizes == (3,)
    table = CodedTable(np.array([[0, 1, 2, 3, 4]], dtype=np.int32), (5,))
    assert compression.forward(table).codes.tolist() == [[0, 2, 1, 2, 2]]
    drawn = compression.back(
        CodedTable(np.full((1, 6000), 2, dtype=np.int32), (3,)), np.random.default_rng(0)
    )
    shares = np.bincount(drawn[0], minlength=5) / 6000
    assert abs(shares[1] - 12 / 13) < 0.02
    assert shares[[0, 2, 3]].sum() == 0


def test_merged_noise_adds_up() -> None:
    measurement = compress([COUNTS], 10.0).measurement(0, COUNTS, 100.0)
    assert measurement.values.tolist() == [500.0, 300.0, 8.0]
    assert measurement.variance.tolist() == [100.0, 100.0, 300.0]


def test_one_small_value_stays_by_itself_and_nothing_is_needed_of_empty_counts() -> None:
    assert compress([np.array([500.0, 1.0])], 10.0).sizes == (2,)
    nothing = compress([np.array([-3.0, -1.0, 0.0])], 10.0)
    drawn = nothing.back(
        CodedTable(np.zeros((1, 30), dtype=np.int32), (1,)), np.random.default_rng(0)
    )
    assert set(drawn[0].tolist()) <= {0, 1, 2}
