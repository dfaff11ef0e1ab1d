import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.kernels.blanking.matched_sums import add_matched

ROWS = st.lists(st.tuples(st.integers(0, 4), st.booleans()), min_size=1, max_size=20)


@given(ROWS, st.floats(0, 1))
@settings(deadline=None, max_examples=60)
def test_each_row_gains_the_share_of_what_stands_at_its_place(
    rows: list[tuple[int, bool]], share: float
) -> None:
    places = np.array([place for place, _ in rows])
    is_mine = np.array([mine for _, mine in rows])
    amounts = np.column_stack([np.arange(len(rows)) + 1.0, np.ones(len(rows))])
    found = amounts.copy()
    add_matched(found, amounts, np.flatnonzero(is_mine), np.flatnonzero(~is_mine), places, share)
    for row in range(len(rows)):
        there = (places == places[row]) & ~is_mine
        gained = share * amounts[there].sum(axis=0) if is_mine[row] else np.zeros(2)
        assert found[row] == pytest.approx(amounts[row] + gained)
