from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.errors import InputError
from microveil.plots.small_counts import SMALL_COUNT
from microveil.reports.audience import (
    checked_audience,
    public_count,
    public_share,
    without_secrets,
)


@given(st.integers(0, 10_000))
def test_a_public_count_is_nothing_or_large(count: int) -> None:
    told = public_count(count)

    assert told in {0, count, "<10"}
    assert not isinstance(told, int) or told == 0 or told >= SMALL_COUNT


@given(st.integers(SMALL_COUNT, 3_000))
def test_a_public_share_fits_several_counts(n_records: int) -> None:
    told = Counter(public_share(count / n_records, n_records) for count in range(n_records + 1))

    assert min(told.values()) >= SMALL_COUNT // 2


def test_shares_of_a_handful_are_hidden() -> None:
    assert public_share(0.5, SMALL_COUNT - 1) is None


def test_parameters_that_lead_to_a_key_are_never_shown() -> None:
    given_by_user = {"style": 1, "seed": 2, "key": 3, "key_env": 4, "key_file": 5, "salt": 6}

    assert without_secrets(given_by_user) == {"style": 1}


def test_an_unknown_audience_is_named_with_the_nearest() -> None:
    with pytest.raises(InputError, match="Did you mean 'public'"):
        checked_audience("publik")
