from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.risk.attacks.classifier import (
    area_under_curve,
    best_threshold,
    separate,
    separate_by,
)

scored = st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=1, max_size=20)


@given(scored)
def test_the_area_is_the_chance_that_a_member_scores_above_another(
    some: list[tuple[int, bool]],
) -> None:
    scores = np.array([float(score) for score, _ in some])
    member = np.array([flag for _, flag in some])
    pairs = [(a > b) + (a == b) / 2 for a, b in product(scores[member], scores[~member])]
    assert area_under_curve(scores, member) == pytest.approx(np.mean(pairs) if pairs else 0.5)


@given(scored)
def test_no_threshold_separates_better(some: list[tuple[int, bool]]) -> None:
    scores = np.array([float(score) for score, _ in some])
    member = np.array([flag for _, flag in some])

    def gain(limit: float) -> float:
        hits, false = scores[member] >= limit, scores[~member] >= limit
        return float(hits.sum() / max(len(hits), 1) - false.sum() / max(len(false), 1))

    assert gain(best_threshold(scores, member)) == pytest.approx(max(map(gain, scores)))


def test_what_tells_members_apart_is_found_and_noise_is_not() -> None:
    rng = np.random.default_rng(1)
    member = np.arange(400) % 2 == 0
    telling = member * 4.0 + rng.normal(size=400)
    noise = rng.normal(size=(400, 2))
    known = separate(np.column_stack([telling, noise]), member, rng, 0.95)
    blind = separate(noise, member, rng, 0.95)
    assert known.auc > 0.98
    assert known.advantage > 0.9
    assert known.interval[0] > 0.8
    assert blind.interval[0] < 0 < blind.interval[1]
    assert blind.auc_interval[0] < 0.5 < blind.auc_interval[1]
    by_score = separate_by(telling, member, rng, 0.95)
    assert by_score.auc == pytest.approx(area_under_curve(telling, member))
    assert by_score.to_dict()["advantage"] == by_score.advantage
