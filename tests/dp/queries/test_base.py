from __future__ import annotations

import json
from typing import Any

import polars as pl
import pytest

import microveil as mv
from microveil import dp
from tests.dp.answered import FRAME, HUGE, READY, names, numbers
from tests.dp.tables import QUERIES, declared, survey

CLIPPED = FRAME.with_columns(pl.col("income").clip(0, 1000))


BOTH = CLIPPED.drop_nulls(["age", "income"])


PLAIN: dict[str, Any] = {
    "count": FRAME.height,
    "count_where": FRAME.filter(
        (pl.col("age") >= 40) & pl.col("region").is_in(["north", "south"])
    ).height,
    "count_column": FRAME["income"].count(),
    "distinct": FRAME["job"].n_unique(),
    "sum": CLIPPED.filter("smokes")["income"].sum(),
    "mean": CLIPPED["income"].mean(),
    "variance": FRAME["age"].var(),
    "covariance": BOTH.select(pl.cov("age", "income")).item(),
    "correlation": BOTH.select(pl.corr("age", "income")).item(),
    "quantile": CLIPPED["income"].quantile(0.25),
    "median": FRAME["age"].median(),
}


@pytest.mark.parametrize("name", list(PLAIN))
def test_without_noise_the_answer_is_the_plain_one(name: str) -> None:
    found = dp.answer(QUERIES[name], READY, spend=HUGE).value
    assert found == pytest.approx(PLAIN[name], rel=2e-3, abs=0.6)


def test_groups_are_those_of_the_keys_missing_included() -> None:
    found = dp.answer(dp.Count(by=["region", "smokes"]), READY, spend=HUGE).frame
    plain = FRAME.group_by("region", "smokes").len()
    assert found.height == 8
    for row in found.iter_rows(named=True):
        same = pl.col("region").eq_missing(pl.lit(row["region"])) & (
            pl.col("smokes") == row["smokes"]
        )
        assert row["value"] == plain.filter(same)["len"].sum()


@names
def test_every_question_survives_a_file_and_its_text_is_its_name(name: str) -> None:
    query = QUERIES[name]
    again = dp.QUERIES.parse(json.loads(json.dumps(query.to_dict())))
    assert again == query
    assert again.canonical() == query.canonical()
    assert type(query).summary().endswith(".")
    for field, info in type(query).model_fields.items():
        assert field == "query" or info.description


@pytest.mark.parametrize("kind", ["pandas", "arrow", "lazy", "dict"])
def test_any_data_frame_is_answered_alike(kind: str) -> None:
    frame = survey(51)
    made: Any = {
        "pandas": frame.to_pandas(),
        "arrow": frame.to_arrow(),
        "lazy": frame.lazy(),
        "dict": frame.to_dict(as_series=False),
    }[kind]
    for query in (dp.Count(by="region"), dp.Sum(column="income"), dp.Median(column="born")):
        plain = dp.answer(query, frame, declared(), HUGE)
        assert numbers(dp.answer(query, made, declared(), HUGE)) == numbers(plain)


def test_too_many_groups_are_refused() -> None:
    columns = {name: {"type": "integer", "bounds": [0, 999]} for name in "ab"}
    with pytest.raises(mv.QueryError, match="1,000,000 groups"):
        dp.price(dp.Contingency(columns=["a", "b"]), {"columns": columns}, 1)
