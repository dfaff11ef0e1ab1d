from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import microveil as mv


def test_rank_correlation_of_the_slides() -> None:
    people = {"height": [1.67, 1.90, 1.81, 1.73, 1.89], "shoe": [37, 45, 43, 39, 46]}
    score = mv.RankCorrelation().measure(people, people)
    assert score.parts["before"]["height, shoe"] == pytest.approx(0.9)
    assert score.value == 0


@settings(max_examples=30)
@given(st.lists(st.tuples(*[st.integers(0, 4)] * 4), min_size=3, max_size=20))
def test_the_change_is_that_of_scipy_s_correlations(rows: list[tuple[int, ...]]) -> None:
    from scipy.stats import rankdata

    def spearman(x: NDArray[np.int64], y: NDArray[np.int64]) -> float:
        ranks = [rankdata(side) for side in (x, y)]
        constant = any(np.ptp(side) == 0 for side in ranks)
        return 0.0 if constant else float(np.corrcoef(*ranks)[0, 1])

    a, b, c, d = np.array(rows).T
    score = mv.RankCorrelation().measure({"x": a, "y": b}, {"x": c, "y": d})
    assert score.value == pytest.approx(abs(spearman(c, d) - spearman(a, b)), abs=1e-9)
    assert score.parts["with_itself"]["x"] == pytest.approx(spearman(a, c), abs=1e-9)


def test_incomplete_records_do_not_count() -> None:
    before: dict[str, list[float | None]] = {"x": [1.0, 2.0, 3.0, None], "y": [1.0, 3.0, 2.0, 9.0]}
    complete = {name: column[:3] for name, column in before.items()}
    found, expected = (mv.RankCorrelation().measure(one, one) for one in (before, complete))
    assert found.parts["before"] == expected.parts["before"]
