from __future__ import annotations

import pytest

from microveil.kernels.blanking.rule import counted_share, silent_pattern


def plain(mine: int, theirs: int, full: int, alpha: float, *, several: bool) -> float:
    """The rule as its sentences say it."""
    if theirs in {0, mine} or mine == full:
        return 1.0
    return 0.0 if mine == 0 and theirs == full and several else alpha


@pytest.mark.parametrize("n_columns", [1, 2, 3])
@pytest.mark.parametrize("alpha", [0.5, 1.0])
def test_every_pair_of_patterns_counts_as_the_rule_says(n_columns: int, alpha: float) -> None:
    full = (1 << n_columns) - 1
    several = n_columns > 1
    for mine in range(full + 1):
        for theirs in range(full + 1):
            found = counted_share(mine, theirs, full, several, alpha)
            assert found == plain(mine, theirs, full, alpha, several=several)


def test_a_blank_row_is_silent_beside_complete_ones_of_several_columns_only() -> None:
    assert [silent_pattern(n) for n in (1, 2, 4)] == [0, 3, 15]
