from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given, settings

from microveil.utility.generalization_loss import GeneralizationLoss
from tests.utility.cases import codes


@settings(max_examples=40)
@given(codes)
def test_loss_is_what_counting_by_hand_gives(values: list[str]) -> None:
    before = pl.DataFrame({"x": values})
    after = pl.DataFrame({"x": [value[0] + "*" for value in values]})
    domain = set(values)
    by_hand = [
        (sum(other[0] == value[0] for other in domain) - 1) / (len(domain) - 1)
        if len(domain) > 1
        else 0.0
        for value in values
    ]
    expected = sum(by_hand) / len(values)
    assert GeneralizationLoss().measure(before, after).value == pytest.approx(expected)
    shuffled = after.sample(fraction=1.0, shuffle=True, seed=1)
    unpaired = GeneralizationLoss().measure(before, shuffled, aligned=False)
    assert unpaired.value == pytest.approx(expected)


def test_a_dropped_key_counts_beside_the_kept_ones() -> None:
    before = pl.DataFrame({"x": ["a", "b"], "y": ["c", "d"]})
    score = GeneralizationLoss(columns=("x", "y")).measure(before, before.drop("y"))
    assert score.value == pytest.approx(0.5)


def test_a_column_of_one_value_has_nothing_to_lose() -> None:
    assert GeneralizationLoss().measure({"x": ["a", "a"]}, {"x": ["*", "*"]}).value == 0
