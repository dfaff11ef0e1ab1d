"""Cells and constants at the limits of every declared type, and filters over them."""

from __future__ import annotations

import math
from datetime import date
from decimal import Decimal
from typing import Any

import polars as pl
from hypothesis import strategies as st

from microveil.dp.filters import (
    ColumnComparison,
    Filter,
    Membership,
    Missing,
    conjunction,
    disjunction,
    negation,
)

EDGES = (0, 1, 2**31, 2**53, 2**60, 2**62, 2**63)
WHOLE = sorted({sign * edge + step for edge in EDGES for sign in (-1, 1) for step in range(-3, 4)})
LONG = [one for one in WHOLE if -(2**63) <= one < 2**63]
REAL = [
    *(float(one) for one in WHOLE),
    -0.0,
    0.1,
    0.1 + 2**-56,
    math.nextafter(2.0**60, math.inf),
    5e-324,
    1.7976931348623157e308,
]
TEXT = ["e", "E", "é", "e\u0301", "É", "", " ", "it's", "\\", "\0missing", "null", "1", "ß", "ss"]
DAYS = ["0001-01-01", "1969-12-31", "1970-01-01", "1970-01-02", "9999-12-31"]

COLUMNS: dict[str, dict[str, Any]] = {
    "integer": {"type": "integer"},
    "real": {"type": "real"},
    "boolean": {"type": "boolean"},
    "text": {"type": "text"},
    "keyed": {"type": "text", "keys": [None, "e", "E", "é", "it's"]},
    "date": {"type": "date"},
}
CONSTANTS: dict[str, Any] = {
    "integer": st.sampled_from([*WHOLE, *REAL, 0.5, -1.5]),
    "real": st.sampled_from([*WHOLE, *REAL]),
    "boolean": st.booleans(),
    "text": st.sampled_from(TEXT),
    "keyed": st.sampled_from(TEXT),
    "date": st.sampled_from(DAYS),
}
SOURCES: dict[str, list[pl.Series]] = {
    "integer": [
        pl.Series([*LONG, None], dtype=pl.Int64),
        pl.Series([one for one in WHOLE if 0 <= one < 2**64], dtype=pl.UInt64),
        pl.Series([*WHOLE, None], dtype=pl.Int128),
        pl.Series([one for one in LONG if abs(one) < 2**31], dtype=pl.Int32),
        pl.Series([-128, 127, 0], dtype=pl.Int8),
        pl.Series([*REAL, math.nan, math.inf, -math.inf], dtype=pl.Float64),
        pl.Series([Decimal(one) for one in LONG] + [Decimal("0.5")], dtype=pl.Decimal(38, 2)),
    ],
    "real": [
        pl.Series([*REAL, math.nan, math.inf, -math.inf, None], dtype=pl.Float64),
        pl.Series([0.1, -0.0, 16777216.0, math.nan], dtype=pl.Float32),
        pl.Series([*LONG, None], dtype=pl.Int64),
        pl.Series([one for one in WHOLE if 0 <= one < 2**64], dtype=pl.UInt64),
        pl.Series([*WHOLE], dtype=pl.Int128),
        pl.Series([Decimal(one) for one in LONG] + [Decimal("0.1")], dtype=pl.Decimal(38, 2)),
    ],
    "boolean": [
        pl.Series([True, False, None]),
        pl.Series(["TRUE", "false", "1", None]),
        pl.Series([0, 1, 2, None]),
    ],
    "text": [
        pl.Series([*TEXT, None]),
        pl.Series([*TEXT, None], dtype=pl.Categorical),
        pl.Series([1, 2, None]),
    ],
    "keyed": [
        pl.Series([*TEXT, None]),
        pl.Series([*TEXT, None], dtype=pl.Categorical),
    ],
    "date": [
        pl.Series([*(date.fromisoformat(one) for one in DAYS), None]),
        pl.Series([*DAYS, "19700101", "soon", None]),
        pl.Series(
            [-1, 0, 86_400 * 10**9 - 1, 86_400 * 10**9, None],
            dtype=pl.Datetime("ns"),
        ),
    ],
}


def filters_of(kind: str) -> st.SearchStrategy[Filter]:
    """Filters of one column ``x`` of a kind, with constants at its limits."""
    constant = CONSTANTS[kind]
    has_order = kind in {"integer", "real", "date"}
    signs = ["=", "!=", "<", "<=", ">", ">="] if has_order else ["=", "!="]
    leaves = st.one_of(
        st.builds(ColumnComparison, st.just("x"), st.sampled_from(signs), constant),
        st.builds(
            Membership,
            st.just("x"),
            st.lists(constant, min_size=1, max_size=4).map(tuple),
            st.booleans(),
        ),
        st.builds(Missing, st.just("x"), st.booleans()),
    )
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.lists(inner, min_size=2, max_size=3).map(conjunction),
            st.lists(inner, min_size=2, max_size=3).map(disjunction),
            inner.map(negation),
        ),
        max_leaves=4,
    )
