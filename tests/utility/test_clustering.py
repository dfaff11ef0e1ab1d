from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.utility.clustering import Clustering, adjusted_rand


def test_clear_clusters_survive_small_noise_and_not_a_permutation() -> None:
    rng = np.random.default_rng(13)
    centres = rng.permutation(np.repeat(np.arange(4), 100)) * 100.0
    frame = pl.DataFrame({"x": centres + rng.normal(size=400), "y": centres + rng.normal(size=400)})
    near = frame + pl.DataFrame(rng.normal(size=(400, 2)), schema=["x", "y"])
    measure = Clustering(n_clusters=4)
    assert measure.measure(frame, near).value == 0
    far = frame.sample(fraction=1.0, shuffle=True, seed=1)
    assert measure.measure(frame, far).value > 0.9
    assert measure.measure(frame, far, aligned=False).value == 0


@settings(max_examples=40)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=30))
def test_adjusted_rand_is_scikit_learn_s(pairs: list[tuple[int, int]]) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    a, b = (np.array(side) for side in zip(*pairs, strict=True))
    assert adjusted_rand(a, b) == pytest.approx(metrics.adjusted_rand_score(a, b))
