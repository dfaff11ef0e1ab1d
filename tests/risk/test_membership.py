from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from microveil.errors import InputError
from microveil.risk.attacks.classifier import area_under_curve, best_threshold, separate
from microveil.risk.membership import Membership
from tests.risk.attack_data import people


def test_a_half_copied_half_invented_release_gives_half_the_members_away() -> None:
    original, control, others = (people(seed, 1000) for seed in (1, 2, 3))
    released = pl.concat([original.head(500), others.head(500)])
    score = Membership().measure(original, released, control=control)
    assert score.value == pytest.approx(0.5, abs=0.07)
    assert score.parts["auc"] == pytest.approx(0.75, abs=0.05)
    assert score.parts["distance"]["advantage"] == pytest.approx(0.5, abs=0.07)
    # Half of the released records are members, half lie at random to both.
    assert score.parts["dcr"]["attack"]["rate"] == pytest.approx(0.75, abs=0.05)
    assert score.parts["dcr"]["baseline"]["rate"] == 0.5


def test_closeness_is_judged_by_the_sizes_of_both_tables() -> None:
    original, control, released = people(1, 1500), people(2, 500), people(3, 1000)
    dcr = Membership().measure(original, released, control=control).parts["dcr"]
    assert dcr["baseline"]["rate"] == 0.75
    assert dcr["interval"][0] == 0
    alone = Membership().measure(original, released)
    assert alone.parts["baseline"]["rate"] == pytest.approx(1000 / 2499)
    assert alone.interval is not None
    assert alone.interval[0] == 0


def test_twins_count_in_part() -> None:
    same = pl.DataFrame({"a": ["x"] * 6})
    score = Membership().measure(same, same.head(3))
    assert score.records is not None
    assert score.records == pytest.approx([3 / 8] * 6)
    assert score.value == pytest.approx(0)


def test_a_wholly_generalised_release_needs_a_control() -> None:
    before, after = {"age": [31, 38]}, {"age": ["[30, 40)", "[30, 40)"]}
    with pytest.raises(InputError, match="needs a control"):
        Membership().measure(before, after)
    assert Membership().measure(before, after, control={"age": [50, 60]}).value >= 0


def test_the_area_is_that_of_counting_pairs() -> None:
    rng = np.random.default_rng(1)
    scores, member = rng.integers(0, 6, 60).astype(float), rng.random(60) < 0.4
    pairs = scores[member][:, None] - scores[~member]
    expected = ((pairs > 0) + 0.5 * (pairs == 0)).mean()
    assert area_under_curve(scores, member) == pytest.approx(expected)


def test_the_threshold_separates_best() -> None:
    rng = np.random.default_rng(2)
    scores, member = rng.integers(0, 9, 80).astype(float), rng.random(80) < 0.5
    gains = {
        level: (scores[member] >= level).mean() - (scores[~member] >= level).mean()
        for level in np.unique(scores)
    }
    found = best_threshold(scores, member)
    assert gains[found] == pytest.approx(max(gains.values()))


def test_noise_is_not_taken_for_a_sign() -> None:
    covered = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        features, member = rng.normal(size=(400, 6)), np.arange(400) < 200
        found = separate(features, member, rng, 0.95)
        covered += found.interval[0] <= 0 <= found.interval[1]
        assert found.auc_interval[0] <= found.auc <= found.auc_interval[1]
    assert covered >= 17


def test_a_sign_is_found_even_where_it_is_perfect() -> None:
    member = np.arange(200) < 100
    features = np.column_stack([member.astype(float), np.zeros(200)])
    found = separate(features, member, np.random.default_rng(0), 0.95)
    assert found.advantage == 1
    assert found.auc == 1
