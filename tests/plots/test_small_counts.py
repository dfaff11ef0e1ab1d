from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.errors import InputError
from microveil.plots import (
    histogram_chart,
)
from microveil.plots.small_counts import SMALL_COUNT, drawable
from tests.plots.releases import NOISY


def test_an_audience_nobody_knows_is_refused() -> None:
    with pytest.raises(InputError, match="internal or public"):
        histogram_chart(NOISY, column="age", audience="everybody")


@given(st.integers(0, 10_000))
def test_the_public_sees_no_handful_and_only_round_counts(count: int) -> None:
    shown = drawable(count, public=True)
    assert shown % SMALL_COUNT == 0
    assert (shown == 0) == (count < SMALL_COUNT)
    assert abs(shown - count) < SMALL_COUNT
    assert drawable(count, public=False) == count
