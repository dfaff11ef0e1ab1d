from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.synthesis.private.scoring import PARTS, misfit

counts = st.lists(st.integers(0, 50), min_size=1, max_size=8)


@given(counts, st.data())
def test_one_record_changes_a_score_by_no_more_than_its_parts(
    cells: list[int], data: st.DataObject
) -> None:
    expected = np.array(
        data.draw(st.lists(st.floats(0, 50), min_size=len(cells), max_size=len(cells)))
    )
    at = data.draw(st.integers(0, len(cells) - 1))
    more = np.array(cells)
    more[at] += 1
    assert abs(misfit(more, expected) - misfit(np.array(cells), expected)) <= PARTS


def test_the_score_is_the_absolute_difference() -> None:
    found = misfit(np.array([3, 0, 5]), np.array([[1.0, 0.5, 5.0]]))
    assert found / PARTS == pytest.approx(2.5)
