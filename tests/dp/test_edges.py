"""Empty tables, lone rows, missing keys, sums that run over, spends beyond reason."""

from __future__ import annotations

import math
from typing import Any

import polars as pl
import pytest

import microveil as mv
from microveil import dp
from microveil.dp.prepared import prepare
from tests.dp.tables import PRIVATE, QUERIES, declared, survey

ALL = {**QUERIES, **PRIVATE}
names = pytest.mark.parametrize("name", list(ALL))
SPENDS = [dp.Loss(epsilon=1, delta="1e-6"), dp.Loss(rho="1/10", delta="1e-6")]
spends = pytest.mark.parametrize("spend", SPENDS, ids=["epsilon", "rho"])


@names
@spends
@pytest.mark.parametrize("height", [0, 1])
def test_no_row_and_one_row_are_answered(name: str, spend: dp.Loss, height: int) -> None:
    found = dp.answer(ALL[name], survey(10).head(height), declared(), spend)
    for row in found.rows:
        if isinstance(row["value"], float):
            assert math.isfinite(row["value"])
        if row["low"] is not None:
            assert row["low"] <= row["value"] <= row["high"]


@names
@spends
def test_a_filter_that_keeps_nothing_is_answered(name: str, spend: dp.Loss) -> None:
    query = ALL[name].model_copy(update={"where": dp.as_filter("age > 99")})
    found = dp.answer(query, survey(50), declared(), spend)
    assert found.loss.fits(spend)


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


def test_rows_whose_key_is_not_among_the_keys_belong_to_no_group() -> None:
    declaration = dp.Declaration.parse(
        {"columns": {"region": {"type": "text", "keys": ["a", "b"]}}}
    )
    frame = pl.DataFrame({"region": ["a", "a", "c", None]})
    found = dp.answer(dp.Count(by="region"), frame, declaration, 10**9).rows
    assert [row["value"] for row in found] == [2, 0]


@pytest.mark.parametrize("keys", [[5, 7, None], [7, 5], [None]])
def test_keys_keep_their_order_and_missing_its_place(keys: list[Any]) -> None:
    declaration = dp.Declaration.parse({"columns": {"x": {"type": "integer", "keys": keys}}})
    frame = pl.DataFrame({"x": [5, 5, 7, 8, None, None, None]})
    found = dp.answer(dp.Count(by="x"), frame, declaration, 10**9).rows
    assert [(row["x"], row["value"]) for row in found] == [
        (key, {5: 2, 7: 1, None: 3}[key]) for key in keys
    ]


def test_dates_can_be_keys() -> None:
    declaration = dp.Declaration.parse(
        {"columns": {"day": {"type": "date", "keys": ["2024-01-02", "2024-01-01", None]}}}
    )
    days = pl.Series("day", ["2024-01-01", "2024-01-01", "2024-01-03", None]).str.to_date()
    found = dp.answer(dp.Count(by="day"), days.to_frame(), declaration, 10**9).rows
    assert [row["value"] for row in found] == [0, 2, 1]


def test_sums_of_huge_numbers_do_not_run_over() -> None:
    bounds = [-(10**17), 10**17]
    declaration = dp.Declaration.parse(
        {
            "columns": {
                "big": {"type": "integer", "bounds": bounds},
                "real": {"type": "real", "bounds": [-1e300, 1e300]},
            }
        }
    )
    frame = pl.DataFrame({"big": [10**17] * 10_000, "real": [1e300] * 10_000})
    big = dp.answer(dp.Sum(column="big"), frame, declaration, 10**9).value
    assert big == pytest.approx(1e21, rel=1e-6)
    real = dp.answer(dp.Sum(column="real"), frame, declaration, 10**9).value
    assert real == pytest.approx(1e304, rel=1e-6)
    for query in (dp.Mean(column="big"), dp.Variance(column="big")):
        assert math.isfinite(dp.answer(query, frame, declaration, 1).value)


@pytest.mark.parametrize("width", [1e-12, 1e-300, 1e12])
def test_narrow_and_wide_bounds_work(width: float) -> None:
    declaration = dp.Declaration.parse(
        {"columns": {"x": {"type": "real", "bounds": [0, width]}}, "size": 10}
    )
    frame = pl.DataFrame({"x": [0.25 * width, 0.75 * width] * 500})
    for query in (dp.Mean(column="x"), dp.Sum(column="x"), dp.Median(column="x")):
        found = dp.answer(query, frame, declaration, 10**6)
        assert found.value == pytest.approx(
            {"mean": 0.5, "sum": 500, "median": 0.5}[query.kind()] * width, rel=0.6
        )


@pytest.mark.parametrize("tiny", ["1e-20", "1e-300"])
@names
def test_a_spend_that_buys_nothing_but_noise_is_refused(name: str, tiny: str) -> None:
    for spend in (dp.Loss(epsilon=tiny, delta="1e-6"), dp.Loss(rho=tiny, delta="1e-6")):
        try:
            dp.price(ALL[name], declared(), spend)
        except mv.QueryError as error:
            assert "spend more" in str(error).lower()  # noqa: PT017  either way out is right
        else:
            assert spend.rho == dp.Loss(rho="1e-20").rho  # √: Gaussian noise is still usable


@pytest.mark.parametrize("huge", [10**6, 10**12, "1e300"])
@names
def test_a_spend_beyond_reason_adds_hardly_any_noise(name: str, huge: Any) -> None:
    for spend in (dp.Loss(epsilon=huge, delta="1e-6"), dp.Loss(rho=huge, delta="1e-6")):
        found = dp.answer(ALL[name], survey(30), declared(), spend)
        assert found.loss.fits(spend)


@pytest.mark.parametrize(
    ("spend", "hint"),
    [
        (None, "Give what may be spent"),
        (dp.Loss(), "Give what may be spent"),
        (dp.Loss(delta="1e-6"), "Give what may be spent"),
        (dp.Loss(epsilon=1, rho=1), "one currency"),
    ],
)
def test_a_spend_is_one_currency_and_more_than_nothing(spend: Any, hint: str) -> None:
    with pytest.raises(mv.QueryError, match=hint):
        dp.answer(dp.Count(), survey(5), declared(), spend)


def test_lacking_columns_and_public_tables_are_named() -> None:
    with pytest.raises(mv.ColumnError, match="'job'"):
        prepare(survey(5).drop("job"), declared())
    with pytest.raises(mv.QueryError, match="Only public tables"):
        dp.price(dp.Count(join="x"), declared(), 1)


@pytest.mark.parametrize(
    ("raw", "hint"),
    [
        ({"columns": {}}, "columns"),
        ({"columns": {"a": {"type": "text", "bounds": [0, 1]}}}, "takes no bounds"),
        ({"columns": {"a": {"type": "real", "bounds": [1, 1]}}}, "below the upper"),
        ({"columns": {"a": {"type": "integer", "bounds": [0.5, 1]}}}, "whole numbers"),
        ({"columns": {"a": {"type": "date", "bounds": ["x", "y"]}}}, "ISO dates"),
        ({"columns": {"a": {"type": "real", "keys": [1]}}}, "cannot be keys"),
        ({"columns": {"a": {"type": "text", "keys": ["x", "x"]}}}, "only once"),
        ({"columns": {"a": {"type": "text", "keys": [1]}}}, "of that type"),
        ({"columns": {"a": {"type": "text"}}, "size_is_public": True}, "change_one"),
        (
            {
                "columns": {"a": {"type": "text"}},
                "tables": {"t": {"key": "b", "columns": {"a": {"type": "text"}}}},
            },
            "not declared",
        ),
    ],
)
def test_a_contradictory_declaration_is_refused(raw: Any, hint: str) -> None:
    with pytest.raises(mv.SpecError, match=hint):
        dp.Declaration.parse(raw)


def test_a_declaration_survives_yaml(tmp_path: Any) -> None:
    declaration = declared(entity={"column": "id", "max_rows": 3}, size=10)
    path = tmp_path / "survey.yaml"
    path.write_text(declaration.to_yaml(), encoding="utf-8")
    assert dp.Declaration.read(path) == declaration
    with pytest.raises(mv.FileError):
        dp.Declaration.read(tmp_path / "none.yaml")
    with pytest.raises(mv.SpecError):
        dp.Declaration.from_yaml("[")


def test_a_dummy_table_answers_whatever_the_declaration_allows() -> None:
    declaration = declared(entity={"column": "id", "max_rows": 3})
    dummy = dp.dummy_table(declaration, rows=40, seed=1)
    assert dummy.height == 40
    for query in ALL.values():
        dp.answer(query, dummy, declaration, SPENDS[0])
    assert dummy.equals(dp.dummy_table(declaration, rows=40, seed=1))
