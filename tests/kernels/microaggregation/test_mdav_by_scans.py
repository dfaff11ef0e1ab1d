from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.kernels.jit import Kernel, always_compiled
from microveil.kernels.microaggregation import mdav as module
from microveil.kernels.microaggregation.mdav import mdav
from microveil.kernels.microaggregation.mdav_by_scans import mdav_by_scans
from tests.kernels.casc import NAMES, standardised


@settings(max_examples=150, deadline=None)
@given(st.integers(1, 60), st.integers(1, 4), st.integers(1, 6), st.data())
def test_scans_find_the_groups_of_the_tree_ties_included(
    n: int, d: int, k: int, data: st.DataObject
) -> None:
    n = max(n, k)
    cells = st.lists(st.integers(0, 3), min_size=n * d, max_size=n * d)
    points = np.array(data.draw(cells), dtype=np.float64).reshape(n, d) / 10
    with always_compiled():
        expected = mdav(points, k)
    assert mdav_by_scans(points, k).tolist() == expected.tolist()


@pytest.mark.parametrize("name", NAMES)
def test_scans_find_the_groups_of_the_tree_in_published_tables(name: str) -> None:
    points = standardised(name)
    with always_compiled():
        expected = mdav(points, 3)
    assert np.array_equal(mdav_by_scans(points, 3), expected)


def test_scans_stand_in_for_machine_code_until_they_cost_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cold = Kernel(lambda points, _: np.full(len(points), 7, dtype=np.int32))
    monkeypatch.setattr(cold, "is_ready", lambda: False)
    monkeypatch.setattr(cold, "_plain", None)
    cold.__dict__["_compiled"] = cold.py_func
    monkeypatch.setattr(module, "_mdav", cold)
    points = np.arange(8.0)[:, None]
    monkeypatch.setattr(module, "MOST_CELLS", 8 * 8 // 2)
    assert mdav(points, 2).tolist() == mdav_by_scans(points, 2).tolist()
    assert mdav(points, 2).tolist() == [7] * 8  # the total is spent
