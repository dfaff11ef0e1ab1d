from __future__ import annotations

import pytest

from microveil.kernels.blanking.rule import counted_share, silent_pattern

ALPHA = 0.3


def by_the_rule(mine: int, theirs: int, full: int) -> float:
    """What sdcMicro counts, case by case."""
    several = full > 1
    if theirs == 0:
        return 1.0  # a complete row that agrees counts for everybody
    if mine == theirs:
        return 1.0  # the same cells are missing: they are alike
    if mine == full:
        return 1.0  # a row without a cell counts everybody
    if mine == 0 and theirs == full and several:
        return 0.0  # and vouches for no complete row
    return ALPHA


@pytest.mark.parametrize("n_columns", [1, 2, 3])
def test_every_pair_of_gaps_counts_as_the_rule_says(n_columns: int) -> None:
    full = (1 << n_columns) - 1
    for mine in range(full + 1):
        for theirs in range(full + 1):
            found = counted_share(mine, theirs, full, n_columns > 1, ALPHA)
            assert found == by_the_rule(mine, theirs, full)


def test_with_alpha_one_only_silent_rows_do_not_vouch() -> None:
    assert counted_share(0, 1, 3, True, 1.0) == 1.0
    assert counted_share(0, 3, 3, True, 1.0) == 0.0
    assert counted_share(0, 1, 1, False, 1.0) == 1.0
    assert [silent_pattern(n) for n in (1, 2, 5)] == [0, 3, 31]
