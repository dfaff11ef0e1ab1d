from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings

import microveil as mv
from microveil import dp
from microveil.dp.filters import Filter
from microveil.dp.predicates import fit_filter, predicate
from microveil.dp.prepared import prepare
from tests.dp.some_filters import filters
from tests.dp.tables import declared, survey


@pytest.fixture(scope="module")
def database() -> Iterator[Any]:
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect() as opened:
        opened.register("survey", survey(60).to_arrow())
        yield opened


@settings(max_examples=40)
@given(where=filters)
def test_a_filter_keeps_the_rows_that_a_database_keeps(database: Any, where: Filter) -> None:
    ready = prepare(survey(60), declared())
    kept = ready.frame().filter(predicate(where, declared(), ())).height
    expected = database.sql(f"SELECT COUNT(*) FROM survey WHERE {where}").fetchall()  # noqa: S608
    assert [(kept,)] == expected


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("agee > 3", "Did you mean 'age'"),
        ("age = 'x'", "compare it with a number"),
        ("region = 3", "text in quotes"),
        ("region > 'a'", "has no order"),
        ("smokes = 1", "TRUE or FALSE"),
        ("born > '1970'", "ISO date"),
        ("born > '19700101'", "ISO date"),
        ("age > 1e300", "too large"),
    ],
)
def test_a_comparison_of_the_wrong_kind_says_what_to_write(text: str, hint: str) -> None:
    where = dp.as_filter(text)
    assert where is not None
    with pytest.raises(mv.QueryError, match=hint):
        fit_filter(where, declared(), ())


def test_a_value_outside_the_keys_matches_nothing_and_breaks_nothing() -> None:
    frame = survey(100)
    for where in ("region = 'nowhere'", "region IN ('nowhere', 'elsewhere')"):
        assert dp.answer(dp.Count(where=where), frame, declared(), 1e6).value == 0
    known = frame["region"].is_not_null().sum()
    for where in ("region != 'nowhere'", "region NOT IN ('nowhere', 'elsewhere')"):
        assert dp.answer(dp.Count(where=where), frame, declared(), 1e6).value == known
