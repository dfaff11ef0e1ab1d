from __future__ import annotations

import polars as pl
import pytest

import microveil as mv
from microveil import dp
from microveil.dp.prepared import prepare
from tests.dp.answered import FRAME, HUGE
from tests.dp.every_question import ALL, SPENDS, names
from tests.dp.tables import declared, survey


@names
def test_a_table_of_missing_cells_alone_is_answered(name: str) -> None:
    frame = survey(20)
    empty = frame.with_columns(pl.lit(None).cast(frame.schema[c]).alias(c) for c in frame.columns)
    dp.answer(ALL[name], empty, declared(), SPENDS[0])


@names
def test_columns_without_a_type_count_as_missing(name: str) -> None:
    frame = pl.DataFrame({column: [None, None] for column in survey(1).columns})
    dp.answer(ALL[name], frame, declared(), SPENDS[0])


def test_cells_of_another_type_count_as_missing_or_as_what_they_say() -> None:
    frame = pl.DataFrame(
        {
            "age": ["30", "x", None],
            "income": [1, 2, 3],
            "region": ["north", "nowhere", None],
            "smokes": ["True", "no", None],
            "born": ["1970-01-31", "yesterday", None],
            "job": [1, 2, 3],
        }
    )
    huge = dp.Loss(epsilon=10**9)
    ready = prepare(frame, declared())
    assert dp.answer(dp.Count(column="age"), ready, spend=huge).value == 1
    assert dp.answer(dp.Count(where="smokes"), ready, spend=huge).value == 1
    assert dp.answer(dp.Count(column="born"), ready, spend=huge).value == 1
    found = dp.answer(dp.Count(by="region"), ready, spend=huge).rows
    assert {row["region"]: row["value"] for row in found} == {
        "north": 1,
        "south": 0,
        "east": 0,
        None: 2,
    }


def test_lacking_columns_and_public_tables_are_named() -> None:
    with pytest.raises(mv.ColumnError, match="'job'"):
        prepare(survey(5).drop("job"), declared())
    with pytest.raises(mv.QueryError, match="Only public tables"):
        dp.price(dp.Count(join="x"), declared(), 1)


def test_a_join_with_a_public_table_keeps_each_row_once() -> None:
    places = pl.DataFrame(
        {
            "region": ["north", "south", "east"],
            "coast": [True, False, True],
            "rain": [3.0, 1.0, 2.0],
        }
    )
    declaration = declared(
        tables={
            "places": {
                "key": "region",
                "columns": {
                    "coast": {"type": "boolean"},
                    "rain": {"type": "real", "bounds": [0, 5]},
                },
            }
        }
    )
    ready = prepare(FRAME, declaration, public={"places": places})
    coast = dp.answer(dp.Count(where="coast", join="places"), ready, spend=HUGE).value
    assert coast == FRAME["region"].is_in(["north", "east"]).sum()
    rain = dp.answer(dp.Mean(column="rain", join="places"), ready, spend=HUGE).value
    joined = FRAME.join(places, on="region")
    assert rain == pytest.approx(joined["rain"].mean(), rel=1e-4)
    assert dp.answer(dp.Count(join="places"), ready, spend=HUGE).value == FRAME.height
    doubled = pl.concat([places, places])
    with pytest.raises(mv.ColumnError, match="several rows for one value"):
        prepare(FRAME, declaration, public={"places": doubled})
    with pytest.raises(mv.QueryError, match="was not provided"):
        dp.answer(dp.Count(join="places"), FRAME, declaration, HUGE)
    with pytest.raises(mv.QueryError, match="No column 'coast'"):
        dp.answer(dp.Count(where="coast"), ready, spend=HUGE)


def test_bins_without_end_leave_memory_as_it_was() -> None:
    from microveil.dp.prepared import MOST_CODES, MOST_COUNTS, MOST_JOINS

    ready = prepare(survey(50), declared())
    for n in range(2, 90):
        dp.answer(dp.Histogram(column="income", bins=n), ready, spend=1)
        dp.answer(dp.Quantile(column="income", points=n), ready, spend=1)
    held = vars(ready)
    assert len(held["_codes"]) <= MOST_CODES
    assert len(held["_kept"]) <= MOST_COUNTS
    assert len(held["_joins"]) <= MOST_JOINS
    assert len(ready.frame().columns) == len(declared().columns)
