"""Tables for tests of Mondrian, and what their release must look like."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from typing import Any

import numpy as np
import polars as pl
from hypothesis import strategies as st

from microveil.methods.mondrian.step import Mondrian
from microveil.methods.parts.base import Outcome
from microveil.tables import Roles, Table

KEYS = ("age", "town", "born", "wage")
TOWNS = {"FR": ["Lyon", "Paris", "Nice"], "IT": {"south": ["Bari"], "north": ["Turin", "Milan"]}}
BRANCHES = {
    "FR": {"Lyon", "Paris", "Nice"},
    "south": {"Bari"},
    "north": {"Turin", "Milan"},
    "IT": {"Bari", "Turin", "Milan"},
    "*": {"Lyon", "Paris", "Nice", "Bari", "Turin", "Milan"},
}
DAY = dt.date(2000, 1, 1)


rows = st.tuples(
    st.none() | st.integers(20, 29),
    st.none() | st.sampled_from(sorted(BRANCHES["*"])),
    st.none() | st.integers(0, 40).map(lambda days: DAY + dt.timedelta(days=days)),
    st.none() | st.sampled_from([0.5, 1.25, 100.0, -3.0]),
    st.sampled_from("xyz"),
)
tables = st.lists(rows, min_size=2, max_size=60)


def frame_of(records: list[Any]) -> pl.DataFrame:
    schema = {
        "age": pl.Int64,
        "town": pl.String,
        "born": pl.Date,
        "wage": pl.Float64,
        "ill": pl.String,
    }
    return pl.DataFrame(records, schema=schema, orient="row").with_row_index("id")


def applied(frame: pl.DataFrame, roles: Roles | None = None, **how: Any) -> Outcome:
    roles = roles or Roles(quasi_identifiers=KEYS, sensitive=["ill"])
    return Mondrian(**how).apply(Table(frame, roles), np.random.default_rng(0))


def class_members(released: pl.DataFrame, keys: tuple[str, ...] = KEYS) -> list[list[int]]:
    """Rows of each class, by plain comparison of what is released."""
    members = defaultdict(list)
    for row, values in enumerate(released.select(keys).rows()):
        members[values].append(row)
    return list(members.values())


options = st.fixed_dictionaries(
    {
        "k": st.integers(2, 6),
        "mode": st.sampled_from(["strict", "relaxed"]),
        "publish": st.sampled_from(["ranges", "nodes", "centroids"]),
        "split": st.sampled_from(["widest", "ncp", "information_gain"]),
        "hierarchies": st.sampled_from([{}, {"town": {"tree": TOWNS}}]),
    }
)


def with_target(how: dict[str, Any]) -> dict[str, Any]:
    return how | ({"target": "ill"} if how["split"] == "information_gain" else {})
