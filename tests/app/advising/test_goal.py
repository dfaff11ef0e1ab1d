"""A goal names a loss from the list, and what to predict where it must."""

from __future__ import annotations

import pytest

from microveil.app.advising.goal import LOSSES, Goal
from microveil.errors import InputError


def test_each_loss_is_a_measure() -> None:
    for loss in LOSSES[:-1]:
        assert Goal(loss=loss).measure == loss
    wanted = Goal(loss="prediction", target="pay").measure
    assert wanted == {"name": "prediction", "target": "pay"}


def test_what_is_missing_is_said() -> None:
    with pytest.raises(InputError, match="predict"):
        _ = Goal(loss="prediction").measure
    with pytest.raises(InputError, match="from the list"):
        _ = Goal(loss="beauty").measure
