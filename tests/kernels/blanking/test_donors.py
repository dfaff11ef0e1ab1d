from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from microveil.kernels.blanking import category_cover
from microveil.kernels.blanking.category_cover import gather
from microveil.kernels.blanking.donors import Alike, open_lists
from microveil.kernels.blanking.places import Rows
from tests.kernels.blanking.test_category_cover import Case, cases


@settings(max_examples=150, deadline=None)
@given(cases())
def test_lists_of_rows_find_the_donors_that_a_look_at_every_row_finds(case: Case) -> None:
    codes, counts, k, bits = case
    rare = np.flatnonzero(counts < k)
    costs = np.ones(codes.shape[1])
    found = gather(codes, counts, k, rare, bits, costs)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(category_cover, "open_lists", _no_lists)
        looked = gather(codes, counts, k, rare, bits, costs)
    assert found.moves.tolist() == looked.moves.tolist()
    assert found.codes.tolist() == looked.codes.tolist()


def _no_lists(rows: Rows, k: int) -> Alike:
    """No room for the lists of any set of cells, so that every row is looked at."""
    alike = open_lists(rows, k)
    return alike._replace(blank=alike.blank[:0])
