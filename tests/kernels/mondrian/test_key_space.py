from __future__ import annotations

from itertools import combinations_with_replacement

import pytest

from microveil.kernels.mondrian.key_space import (
    ALIKE,
    WITHHELD,
    cut_group,
    lowest_level,
    width_of,
)
from tests.kernels.plain_mondrian import LABELS, MISSING, Column, space_of

COLUMNS = [Column("plain"), Column("placed"), Column("tree"), Column("tree")]
SPACE = space_of(COLUMNS)
pairs = list(combinations_with_replacement(range(5), 2))


@pytest.mark.parametrize("number", range(4))
def test_widths_are_shares_of_the_column_s_own(number: int) -> None:
    for low, high in pairs:
        expected = COLUMNS[number].width({low, high})
        assert width_of(SPACE, number, low, high) == pytest.approx(expected)
        assert width_of(SPACE, number, MISSING, high) == WITHHELD
        if low == high:
            assert expected == ALIKE
    assert width_of(SPACE, number, MISSING, MISSING) == ALIKE


def test_two_codes_have_their_first_label_in_common_at_the_lowest_level() -> None:
    for number in (2, 3):  # the second tree lies behind the first
        for low, high in pairs:
            expected = next(
                level for level in range(3) if LABELS[low][level] == LABELS[high][level]
            )
            assert lowest_level(SPACE, number, low, high) == expected


@pytest.mark.parametrize("number", range(4))
def test_a_cut_keeps_values_or_branches_together(number: int) -> None:
    for low, high in pairs:
        for code in range(low, high + 1):
            kept = COLUMNS[number].together({low, high, code}, code)
            first, last = cut_group(SPACE, number, low, high, code)
            assert set(range(first, last + 1)) == kept
        assert cut_group(SPACE, number, low, high, MISSING) == (MISSING, MISSING)
