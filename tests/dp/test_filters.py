from __future__ import annotations

import pytest
from hypothesis import given

from microveil import dp
from microveil.dp.filters import Filter
from microveil.dp.predicates import predicate
from microveil.dp.prepared import prepare
from tests.dp.some_filters import filters
from tests.dp.tables import declared, survey


@given(filters, filters)
def test_filters_said_to_be_disjoint_share_no_row(one: Filter, other: Filter) -> None:
    frame = prepare(survey(200), declared()).frame()
    both = predicate(one, declared(), ()) & predicate(other, declared(), ())
    if dp.disjoint(one, other):
        assert frame.filter(both).height == 0


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("age < 30", "age >= 30"),
        ("age <= 29", "age BETWEEN 30 AND 40"),
        ("region = 'north'", "region = 'south'"),
        ("region IN ('north', 'south')", "region = 'east' AND age > 3"),
        ("region = 'north'", "region != 'north'"),
        ("region = 'north'", "region NOT IN ('north', 'south')"),
        ("region IS NULL", "region IS NOT NULL"),
        ("region IS NULL", "region = 'north'"),
        ("smokes", "NOT smokes"),
        ("age < 10 OR age > 90", "age BETWEEN 20 AND 80"),
        ("age = 30", "age > 30.5"),
        ("born < '1970-01-01'", "born >= '1970-01-01'"),
        ("age = 1", "age = 2.0"),
    ],
)
def test_disjoint_filters_are_recognised(one: str, other: str) -> None:
    first, second = dp.as_filter(one), dp.as_filter(other)
    assert dp.disjoint(first, second)
    assert dp.disjoint(second, first)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("age <= 30", "age >= 30"),
        ("age < 30", "region = 'north'"),
        ("region = 'north'", "region IN ('north', 'south')"),
        ("age = 1", "age = 1.0"),
        ("age != 1", "age != 2"),
        ("NOT smokes", "smokes IS NOT NULL"),
    ],
)
def test_overlapping_filters_are_not_called_disjoint(one: str, other: str) -> None:
    assert not dp.disjoint(dp.as_filter(one), dp.as_filter(other))


def test_no_filter_is_disjoint_from_none() -> None:
    assert not dp.disjoint(None, dp.as_filter("age < 30"))


def test_equal_filters_are_written_alike() -> None:
    texts = [
        "age >= 30 and region in ('south', 'north')",
        "region in ('north','south','north') AND (age>=30)",
        "not (age < 30 or region not in ('north', 'south'))",
        "30 <= age and (region = 'north' or region = 'north') or false_ = true and false_ = true",
    ]
    canonical = {dp.Count(where=text).canonical() for text in texts[:3]}
    assert len(canonical) == 1
    assert dp.Count(where=texts[3]).canonical() not in canonical
