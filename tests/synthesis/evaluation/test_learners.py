from __future__ import annotations

import pytest

from microveil.errors import InputError
from microveil.synthesis.evaluation.learners import transfer, two_sample_auc
from tests.synthesis.evaluation.cases import people


def test_tables_of_one_kind_are_not_told_apart_and_others_are() -> None:
    one, other = people(60), people(60, seed=2)
    assert 0.3 < two_sample_auc(one, other) < 0.7
    assert two_sample_auc(one, other.with_columns(age=other["age"] + 500)) > 0.95
    with pytest.raises(InputError, match="too few records"):
        two_sample_auc(one.head(9), other)


def test_a_target_is_predicted_as_classes_or_as_a_number() -> None:
    one, other, held = people(150), people(150, seed=2), people(80, seed=1)
    classes = transfer(one, other, held, "ill")
    assert classes.scale == "area under the curve"
    assert classes.real > 0.6
    numbers = transfer(one, one, held, "pay")
    assert numbers.scale == "R²"
    assert numbers.synthetic == numbers.real
    with pytest.raises(InputError, match="too few records"):
        transfer(one.head(3), other, held, "ill")
