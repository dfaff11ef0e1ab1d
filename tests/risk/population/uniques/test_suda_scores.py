from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.risk.population.uniques.suda_scores import dis_scores, size_weights


def test_weights_are_the_formulas() -> None:
    assert size_weights(5, 3, "factorial").tolist() == [24, 6, 2]
    assert size_weights(3, 3, "supersets").tolist() == pytest.approx([3 / 3, 1 / 3, 0])


scores = st.lists(st.sampled_from([0.0, 1.0, 2.0, 6.0, 24.0]), min_size=1, max_size=12)


@given(scores, st.integers(2, 40), st.integers(0, 50), st.floats(0.01, 0.99))
def test_a_higher_score_is_never_a_lower_chance(
    values: list[float], n_columns: int, n_paired: int, share: float
) -> None:
    suda = np.array(values)
    chances = dis_scores(suda, n_columns, n_paired, share)
    assert ((chances >= 0) & (chances <= 1)).all()
    assert (chances[suda == 0] == 0).all()
    order = np.argsort(suda, kind="stable")
    assert (np.diff(chances[order]) >= -1e-12).all()
    assert dis_scores(10 * suda, n_columns, n_paired, share) == pytest.approx(chances)


def test_without_pairs_every_match_is_right() -> None:
    assert dis_scores(np.array([0.0, 1.0, 3.0]), 5, 0, 0.1).tolist() == [0, 1, 1]
