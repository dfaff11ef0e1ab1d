import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.arrays import Floats, Ints
from microveil.kernels.microaggregation import optimal_cuts as cuts
from microveil.kernels.microaggregation.group_means import group_sse
from tests.kernels.casc import tables


def _sse(values: Floats, labels: Ints) -> float:
    return float(group_sse(values.reshape(-1, 1), labels).sum())


def _spread(values: Floats) -> float:
    return float(((values - values.mean()) ** 2).sum())


def cuts_to_labels(found: Ints) -> Ints:
    stop, group = len(found) - 1, 0
    labels = np.empty(stop, dtype=np.int32)
    while stop > 0:
        labels[found[stop] : stop] = group
        stop, group = int(found[stop]), group + 1
    return labels


@given(st.integers(1, 8), st.data())
@settings(deadline=None, max_examples=100)
def test_blocks_cut_as_well_as_trying_all_cuts(k: int, data: st.DataObject) -> None:
    values = np.sort(data.draw(tables(least=k, widest=1))[:, 0])
    by_blocks = _sse(values, cuts_to_labels(cuts._cuts_by_blocks(values, k)))
    by_trial = _sse(values, cuts_to_labels(cuts._try_all_cuts(values, k)))
    assert by_blocks == pytest.approx(by_trial, rel=1e-9, abs=1e-6)


@given(st.integers(1, 4), st.data())
@settings(deadline=None, max_examples=60)
def test_each_cut_is_the_best_for_the_values_so_far(k: int, data: st.DataObject) -> None:
    values = np.sort(data.draw(tables(least=k, most=25, widest=1))[:, 0])
    best = [0.0] + [np.inf] * len(values)
    for stop in range(k, len(values) + 1):
        starts = range(max(0, stop - 2 * k + 1), stop - k + 1)
        best[stop] = min(best[start] + _spread(values[start:stop]) for start in starts)
    for solve in (cuts._try_all_cuts, cuts._cuts_by_blocks):
        found = solve(values, k)
        for stop in range(k, len(values) + 1):
            if not np.isfinite(best[stop]):
                continue  # so many values cannot be cut
            start = int(found[stop])
            assert k <= stop - start < 2 * k
            cost = best[start] + _spread(values[start:stop])
            assert cost == pytest.approx(best[stop], rel=1e-9, abs=1e-6)


def test_small_and_large_k_are_cut_by_their_own_way() -> None:
    values = np.sort(np.random.default_rng(0).normal(size=300))
    for k in (cuts._SMALL_K, cuts._SMALL_K + 1):
        found = cuts_to_labels(cuts.optimal_cuts(values, k))
        tried = cuts_to_labels(cuts._try_all_cuts(values, k))
        assert _sse(values, found) == pytest.approx(_sse(values, tried))
