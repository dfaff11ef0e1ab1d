from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given

import microveil as mv
from microveil import dp
from microveil.dp.filters import ColumnComparison, Filter, conjunction
from tests.dp.some_filters import filters
from tests.dp.tables import declared


@given(filters)
def test_a_filter_survives_its_text(where: Filter) -> None:
    again = dp.as_filter(str(where))
    assert again == where
    assert dp.Count(where=str(where)) == dp.Count(where=where)


@pytest.mark.parametrize(
    "text",
    [
        "age",
        "age + 1 > 3",
        "abs(age) > 3",
        "age > income",
        "age > (select 1)",
        "age in (select 1)",
        "region like 'n%'",
        "age is true",
        "1 = 1",
        "age > 3; drop table survey",
        "age > 3 group by age",
        "age > 3 limit 1",
        "",
        "age >",
        "age = null",
        "exists (select 1)",
        "case when age > 3 then true end",
        "age > 3 union select 1",
        "age in ()",
        "age > 1e999",
        "age = ANY(ARRAY[1])",
        "true",
        "age > :x",
        "age > ?",
        "age > @x",
        "age between 1 and income",
        "age::text = '3'",
        "age BETWEEN SYMMETRIC 4 AND 3",
        "survey.age > 3",
        "age > 4503599627370496.5",
        "age > 1e400",
    ],
)
def test_what_is_no_plain_condition_is_refused(text: str) -> None:
    with pytest.raises(mv.InputError):
        dp.Count(where=dp.as_filter(text)).check(declared())


def test_a_refusal_quotes_no_constant() -> None:
    for text in (
        "age + 'zebra-77' > 3",
        "age > 'zebra-77'",
        "region = 'zebra-77' 'x'",
        "'zebra-77'",
    ):
        with pytest.raises(mv.InputError) as caught:
            dp.Count(where=dp.as_filter(text)).check(declared())
        assert "zebra" not in str(caught.value)


def test_odd_names_and_texts_are_quoted() -> None:
    declaration = dp.Declaration.parse(
        {"columns": {'a "b" select': {"type": "text"}, "order": {"type": "integer"}}}
    )
    where = conjunction(
        [ColumnComparison('a "b" select', "=", "it's"), ColumnComparison("order", "<", -3)]
    )
    assert dp.as_filter(str(where)) == where
    frame = pl.DataFrame({'a "b" select': ["it's", "x"], "order": [-4, -4]})
    found = dp.answer(dp.Count(where=str(where)), frame, declaration, 1e6)
    assert found.value == 1


def test_deep_and_long_texts_are_refused_quickly() -> None:
    deep = "(" * 5000 + "age > 3" + ")" * 5000
    for text in (
        deep,
        "NOT " * 3000 + "smokes",
        " AND ".join(["age > 3"] * 5000),
        "age > " + "-" * 5000 + "3",
    ):
        with pytest.raises(mv.QueryError):
            dp.as_filter(text)
