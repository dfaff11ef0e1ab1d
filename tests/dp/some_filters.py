"""Filters of every kind, drawn at random."""

from __future__ import annotations

from hypothesis import strategies as st

from microveil.dp.filters import ColumnComparison, Membership, Missing, conjunction, disjunction
from microveil.dp.filters import negation as opposite

numbers = st.one_of(st.integers(0, 100), st.integers(0, 1000).map(lambda x: x + 0.25))
leaves = st.one_of(
    st.builds(
        ColumnComparison,
        st.just("age"),
        st.sampled_from(["=", "!=", "<", "<=", ">", ">="]),
        numbers,
    ),
    st.builds(
        Membership,
        st.just("region"),
        st.sets(st.sampled_from(["north", "south", "it's"]), min_size=2).map(
            lambda found: tuple(sorted(found))
        ),
        st.booleans(),
    ),
    st.builds(ColumnComparison, st.just("smokes"), st.just("="), st.booleans()),
    st.builds(Missing, st.sampled_from(["region", "income"]), st.booleans()),
    st.builds(
        ColumnComparison, st.just("born"), st.sampled_from(["<", ">="]), st.just("1970-01-01")
    ),
)


filters = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3).map(conjunction),
        st.lists(inner, min_size=1, max_size=3).map(disjunction),
        inner.map(opposite),
    ),
    max_leaves=6,
)
