"""Atoms against rows: whatever the filter, an atom's mask says what Polars says of its rows."""

from __future__ import annotations

from datetime import date
from itertools import product
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from microveil.dp import Contingency, Count, Declaration, Histogram, Query, answer, prepare
from microveil.service.free.answers import Bought, free_answer
from microveil.service.free.tallies import grid_of, tally

DECLARATION = Declaration.parse(
    {
        "name": "t",
        "columns": {
            "age": {"type": "integer", "bounds": [0, 6]},
            "height": {"type": "real", "bounds": [0, 3]},
            "sex": {"type": "text", "keys": ["f", "m", None]},
            "town": {"type": "text"},
            "since": {"type": "date", "bounds": ["2020-01-01", "2020-01-04"]},
            "member": {"type": "boolean"},
        },
    }
)
VALUES: dict[str, list[Any]] = {
    "age": [-1, 0, 1, 2, 3, 6, 9, None],
    "height": [0.0, 0.5, 1.0, 2.5, None],
    "sex": ["f", "m", None],
    "town": ["a", "b", "c", None],
    "since": [date(2020, 1, 1), date(2020, 1, 3), None],
    "member": [True, False, None],
}
LEAVES = st.sampled_from(
    [
        "age >= 2",
        "age < 3",
        "age = 1",
        "age != 1",
        "age > 1.5",
        "age IN (0, 3, 9)",
        "age NOT IN (1, 2)",
        "age IS NULL",
        "height < 0.75",
        "height >= 1",
        "height IS NOT NULL",
        "sex = 'f'",
        "sex != 'f'",
        "sex IS NULL",
        "town = 'a'",
        "town NOT IN ('a', 'b')",
        "town != 'z'",
        "since >= '2020-01-02'",
        "since = '2020-01-03'",
        "member = TRUE",
        "member != TRUE",
    ]
)
FILTERS = st.recursive(
    LEAVES,
    lambda inner: st.tuples(inner, st.sampled_from(["AND", "OR"]), inner).map(
        lambda parts: f"({parts[0]} {parts[1]} {parts[2]})"
    ),
    max_leaves=4,
)


def exact(query: Query, frame: pl.DataFrame) -> list[int]:
    """Counts with so little noise that they are the true ones."""
    found = answer(query, prepare(frame, DECLARATION), spend=10**6)
    return [int(row["value"]) for row in found.rows]


QUERIES = st.one_of(
    st.builds(Count, where=st.none() | FILTERS, by=st.sampled_from([(), ("sex",), ("age",)])),
    st.builds(Count, where=FILTERS, column=st.sampled_from([None, "height", "town"])),
    st.builds(Histogram, column=st.just("height"), bins=st.integers(1, 4), where=FILTERS),
    st.builds(Histogram, column=st.just("since"), bins=st.just(3), where=st.none() | FILTERS),
    st.builds(Contingency, columns=st.just(("sex", "member")), where=st.none() | FILTERS),
)


@st.composite
def frames(draw: st.DrawFn) -> pl.DataFrame:
    cells = st.fixed_dictionaries({name: st.sampled_from(v) for name, v in VALUES.items()})
    rows = draw(st.lists(cells, min_size=1, max_size=30))
    schema = {"age": pl.Int64, "height": pl.Float64, "sex": pl.String, "town": pl.String}
    return pl.DataFrame(rows, schema={**schema, "since": pl.Date, "member": pl.Boolean})


@given(st.lists(QUERIES, min_size=1, max_size=3), frames())
def test_numbers_are_the_sums_over_their_atoms(queries: list[Query], frame: pl.DataFrame) -> None:
    known = [one for query in queries if (one := tally(query, DECLARATION)) is not None]
    assert len(known) == len(queries)
    grid = grid_of(known, DECLARATION, ())
    assert grid is not None
    masks = np.concatenate([one.masks(grid) for one in known])
    numbers = np.concatenate([exact(query, frame) for query in queries])
    assert len(masks) == len(numbers)
    for first, second in product(range(len(masks)), repeat=2):
        if not (masks[first] & ~masks[second]).any():
            assert numbers[first] <= numbers[second]


NOBODY = Count(where="sex != 'f' AND sex = 'f'")
SOMEBODY = pl.DataFrame([{name: values[0] for name, values in VALUES.items()}])


@settings(max_examples=25)  # each buys and answers several questions
@given(st.lists(QUERIES, min_size=1, max_size=4), QUERIES, frames())
@example([NOBODY], NOBODY, SOMEBODY)
def test_what_follows_is_true(queries: list[Query], wanted: Query, frame: pl.DataFrame) -> None:
    ready = prepare(frame, DECLARATION)
    bought = [Bought(at, answer(one, ready, spend=10**6)) for at, one in enumerate(queries)]
    found = free_answer([wanted], bought, DECLARATION, 0.95)
    if found is not None:
        values = [row["value"] for row in found.answers[0].rows]
        assert values == pytest.approx(exact(wanted, frame), abs=1e-6)
    if wanted in queries:
        assert found is not None


@pytest.mark.parametrize("query", [Count(by=("town",)), Count(by=("sex", "town"))])
def test_private_keys_are_not_taken_apart(query: Query) -> None:
    assert tally(query, DECLARATION) is None


def test_whole_numbers_beyond_floats_are_told_apart() -> None:
    declaration = Declaration.parse({"name": "t", "columns": {"x": {"type": "integer"}}})
    ready = prepare(pl.DataFrame({"x": [2**60] * 500}), declaration)
    paid = Count(where=f"x = {2**60}")
    bought = [Bought.of(1, answer(paid, ready, spend=1), declaration)]
    again = free_answer((paid,), bought, declaration, 0.95)
    other = free_answer((Count(where=f"x = {2**60 + 1}"),), bought, declaration, 0.95)
    assert again is not None
    assert other is None
