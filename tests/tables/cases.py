"""Tables of small cells, drawn at random."""

from __future__ import annotations

from typing import Any

import polars as pl
from hypothesis import strategies as st

import microveil as mv

ROLES = mv.Roles(quasi_identifiers=["sex"])
cells = st.one_of(st.none(), st.integers(-3, 3))
texts = st.one_of(st.none(), st.sampled_from(["a", "b", "ab", ""]))
floats = st.one_of(st.none(), st.sampled_from([0.0, -0.0, 1.5, 1e300, -2.0]))
raw_rows = st.lists(st.tuples(cells, texts, floats), max_size=40)
rows = raw_rows.map(lambda records: [(a, b or None, c) for a, b, c in records])


def table(records: list[tuple[Any, ...]], **roles: Any) -> mv.Table:
    schema = {"a": pl.Int64, "b": pl.String, "c": pl.Float64}
    frame = pl.DataFrame(records, schema=schema, orient="row")
    return mv.Table(frame, mv.Roles(quasi_identifiers=["a", "b", "c"], **roles))
