from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil import dp
from microveil.dp.parts import Choice, Vector, choice_sensitivity, sensitivity
from microveil.dp.prepared import Prepared, prepare
from microveil.dp.tallies import frequencies, public_groups, tally
from tests.dp.tables import QUERIES, declared

VECTORS = {name: query for name, query in QUERIES.items() if not isinstance(query, dp.Quantile)}


VECTORS.pop("top")


VECTORS["count_by_age"] = dp.Count(by="age")


VECTORS["histogram_age"] = dp.Histogram(column="age", bins=7, by="smokes")


# Cells beyond the bounds, beyond the keys and missing are what an adversary would choose.
row = st.fixed_dictionaries(
    {
        "age": st.one_of(st.none(), st.integers(-50, 200), st.sampled_from([0, 100])),
        "income": st.one_of(st.none(), st.floats(-1e6, 1e6), st.sampled_from([0.0, 1000.0, 500.0])),
        "region": st.sampled_from(["north", "south", "east", "west", None]),
        "smokes": st.sampled_from([True, False, None]),
        "born": st.none(),
        "job": st.sampled_from(["a", "b", "c", None]),
    }
)


entity = {"column": "id", "max_rows": 3, "max_groups": 2}


def frame_of(rows: list[dict[str, Any]]) -> pl.DataFrame:
    schema: dict[str, Any] = {
        "id": pl.Int64,
        "age": pl.Int64,
        "income": pl.Float64,
        "region": pl.String,
        "smokes": pl.Boolean,
        "born": pl.Date,
        "job": pl.String,
    }
    return pl.DataFrame([{"id": 0, **one} for one in rows], schema=schema)


def assert_within(query: dp.Query, one: Prepared, other: Prepared) -> None:
    declaration = one.declaration
    part = query.part(declaration)
    assert isinstance(part, Vector)
    into = public_groups(query, part, one)
    moved = tally(one, query, part, into) - tally(other, query, part, into)
    for at, term in enumerate(part.terms):
        allowed = sensitivity(term, declaration, grouped=bool(query.by or part.axes))
        assert int(np.abs(moved[:, at]).sum()) <= allowed.l1
        assert int((moved[:, at] ** 2).sum()) <= allowed.l2_squared


@pytest.mark.parametrize("name", list(VECTORS))
@settings(max_examples=25)
@given(rows=st.lists(row, max_size=5), mine=row)
def test_one_row_more_moves_sums_by_what_was_proved(
    name: str, rows: list[dict[str, Any]], mine: dict[str, Any]
) -> None:
    declaration = declared()
    one, other = prepare(frame_of([*rows, mine]), declaration), prepare(frame_of(rows), declaration)
    assert_within(VECTORS[name], one, other)


@pytest.mark.parametrize("name", list(VECTORS))
@settings(max_examples=25)
@given(rows=st.lists(row, max_size=5), mine=row, changed=row)
def test_one_row_changed_moves_sums_by_what_was_proved(
    name: str, rows: list[dict[str, Any]], mine: dict[str, Any], changed: dict[str, Any]
) -> None:
    declaration = declared(neighbours="change_one")
    one = prepare(frame_of([*rows, mine]), declaration)
    assert_within(VECTORS[name], one, prepare(frame_of([*rows, changed]), declaration))


@pytest.mark.parametrize("name", list(VECTORS))
@pytest.mark.parametrize("neighbours", ["add_remove", "change_one"])
@settings(max_examples=20)
@given(
    rows=st.lists(st.tuples(st.integers(1, 3), row), max_size=6),
    mine=st.lists(row, max_size=6),
    changed=st.lists(row, max_size=6),
    places=st.randoms(use_true_random=False),
)
def test_one_entity_moves_sums_by_what_was_proved_however_many_rows_it_has(
    name: str,
    neighbours: str,
    rows: list[tuple[int, dict[str, Any]]],
    mine: list[dict[str, Any]],
    changed: list[dict[str, Any]],
    places: Any,
) -> None:
    declaration = declared(neighbours=neighbours, entity=entity)
    others = [{"id": who, **one} for who, one in rows]
    later = changed if neighbours == "change_one" else []

    def mixed(more: list[dict[str, Any]]) -> Prepared:
        """Rows of the entity anywhere among those of others, which keep their order."""
        whole = list(others)
        for one in more:
            whole.insert(places.randrange(len(whole) + 1), {"id": 9, **one})
        return prepare(frame_of(whole), declaration)

    assert_within(VECTORS[name], mixed(mine), mixed(later))


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.75, 1.0])
@pytest.mark.parametrize("neighbours", ["add_remove", "change_one"])
@given(rows=st.lists(row, max_size=6), mine=row, changed=row)
@settings(max_examples=25)
def test_scores_of_a_quantile_move_by_what_was_proved(
    share: float,
    neighbours: str,
    rows: list[dict[str, Any]],
    mine: dict[str, Any],
    changed: dict[str, Any],
) -> None:
    query = dp.Quantile(column="age", share=share, points=11)
    declaration = declared(neighbours=neighbours)
    part = query.part(declaration)
    assert isinstance(part, Choice)
    later = [*rows, changed] if neighbours == "change_one" else rows
    ready = [prepare(frame_of(one), declaration) for one in ([*rows, mine], later)]
    into = public_groups(query, part, ready[0])
    first, second = (scores(frequencies(one, query, part, into)[0], part) for one in ready)
    allowed = choice_sensitivity(part, declaration, grouped=False)
    assert np.abs(first - second).max() <= allowed


def scores(counts: Any, part: Choice) -> Any:
    """The scores as their definition reads, candidate by candidate."""
    a, b = part.share.numerator, part.share.denominator
    n = int(counts.sum())
    found = []
    for at in range(len(counts)):
        below, upto = int(counts[:at].sum()), int(counts[: at + 1].sum())
        found.append(-max(b * below - a * n, a * n - b * upto, 0))
    return np.array(found)
