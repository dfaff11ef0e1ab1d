"""Weighted people in households."""

from __future__ import annotations

from hypothesis import strategies as st

people = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 2), st.floats(1, 50)), min_size=1, max_size=30
)
