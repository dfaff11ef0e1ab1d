"""Free answers: what follows follows, what does not does not, and intervals hold."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

from microveil.dp import (
    Answer,
    Contingency,
    Count,
    Declaration,
    DistinctCount,
    Histogram,
    Mean,
    Median,
    Prepared,
    Query,
    Sum,
    answer,
    prepare,
    price,
)
from microveil.service.free.answers import Bought, FreeAnswer, free_answer

ROWS = 600
COMPLETE = ("region", "sex")


def declared(**more: Any) -> Declaration:
    return Declaration.parse(
        {
            "name": "survey",
            "size": ROWS,
            "columns": {
                "person": {"type": "integer"},
                "age": {"type": "integer", "bounds": [0, 99]},
                "region": {"type": "text", "keys": ["n", "s", "e"]},
                "sex": {"type": "text", "keys": ["f", "m"]},
                "income": {"type": "real", "bounds": [0, 100]},
            },
            **more,
        }
    )


def frame() -> pl.DataFrame:
    rng = np.random.default_rng(5)
    return pl.DataFrame(
        {
            "person": np.arange(ROWS) // 2,
            "age": rng.integers(0, 100, ROWS),
            "region": rng.choice(["n", "s", "e"], ROWS),
            "sex": rng.choice(["f", "m"], ROWS),
            "income": rng.uniform(0, 100, ROWS),
        }
    )


@pytest.fixture(scope="module")
def table() -> Prepared:
    return prepare(frame(), declared())


def buy(table: Prepared, *queries: Query, spend: Any = "1/2") -> list[Bought]:
    return [Bought(at, answer(one, table, spend=spend)) for at, one in enumerate(queries, 1)]


def derive(
    query: Query, bought: list[Bought], complete: tuple[str, ...] = COMPLETE
) -> FreeAnswer | None:
    return free_answer([query], bought, declared(), 0.95, complete=complete)


def only(found: FreeAnswer | None) -> Answer:
    assert found is not None
    (one,) = found.answers
    assert one.loss.is_free
    return one


def test_sub_sums_of_a_table_follow_from_it(table: Prepared) -> None:
    bought = buy(table, Contingency(columns=("region", "sex")))
    cells = {(row["region"], row["sex"]): row["value"] for row in bought[0].answer.rows}
    by_sex = only(derive(Count(by=("sex",)), bought))
    assert [row["value"] for row in by_sex.rows] == [
        sum(cells[region, sex] for region in "nse") for sex in "fm"
    ]
    assert only(derive(Count(), bought)).value == sum(cells.values())
    part = Count(where="sex = 'f' AND region IN ('n', 'e')")
    assert only(derive(part, bought)).value == cells["n", "f"] + cells["e", "f"]
    rest = Count(where="NOT (sex = 'f' AND region IN ('n', 'e'))")
    assert only(derive(rest, bought)).value == sum(cells.values()) - (
        cells["n", "f"] + cells["e", "f"]
    )


def test_margins_do_not_follow_where_cells_may_be_missing(table: Prepared) -> None:
    bought = buy(table, Contingency(columns=("region", "sex")))
    assert derive(Count(by=("sex",)), bought, complete=()) is None
    assert derive(Count(by=("sex",)), bought, complete=("region",)) is not None
    assert derive(Count(where="region IS NOT NULL", by=("sex",)), bought, complete=()) is not None


def test_a_coarser_histogram_follows_from_a_finer_one(table: Prepared) -> None:
    bought = buy(table, Histogram(column="age", edges=(0, 10, 20, 30, 40, 50, 100)))
    fine = [row["value"] for row in bought[0].answer.rows]
    coarse = only(derive(Histogram(column="age", edges=(0, 20, 50, 100)), bought))
    assert [row["value"] for row in coarse.rows] == [fine[0] + fine[1], sum(fine[2:5]), fine[5]]
    assert only(derive(Count(where="age < 20"), bought)).value == fine[0] + fine[1]
    assert only(derive(Count(where="age <= 19"), bought)).value == fine[0] + fine[1]
    assert only(derive(Count(column="age"), bought)).value == sum(fine)
    assert derive(Histogram(column="age", edges=(0, 15, 100)), bought) is None
    assert derive(Count(where="age < 21"), bought) is None


def test_what_is_left_follows_from_a_whole_and_a_part(table: Prepared) -> None:
    bought = buy(table, Count(), Count(where="age >= 30 AND sex = 'f'"))
    whole, part = (one.answer.value for one in bought)
    found = only(derive(Count(where="age < 30 OR age IS NULL OR sex = 'm'"), bought))
    assert found.value == whole - part
    assert derive(Count(where="age >= 30"), bought) is None


def test_several_answers_together_are_more_exact_than_each(table: Prepared) -> None:
    one = buy(table, Count(by=("sex",)), spend="1/10")
    both = [*one, Bought(2, answer(Count(by=("region",)), table, spend="1/10"))]
    alone, together = derive(Count(), one), derive(Count(), both)
    assert alone is not None
    assert together is not None
    assert together.sources == (1, 2)
    assert (together.errors[0] or 0) < (alone.errors[0] or 0)


def test_a_mean_follows_from_sum_and_count(table: Prepared) -> None:
    bought = buy(table, Sum(column="income", by=("sex",)), Count(column="income", by=("sex",)))
    means = only(derive(Mean(column="income", by=("sex",)), bought))
    sums, counts = ([row["value"] for row in one.answer.rows] for one in bought)
    assert [row["value"] for row in means.rows] == [
        pytest.approx(s / n) for s, n in zip(sums, counts, strict=True)
    ]
    for row in means.rows:
        assert 0 <= row["low"] <= row["value"] <= row["high"] <= 100
    whole = only(derive(Mean(column="income"), bought))
    assert whole.value == pytest.approx(sum(sums) / sum(counts))
    assert derive(Mean(column="income"), bought[:1]) is None
    assert derive(Mean(column="age"), bought) is None


def test_what_is_no_sum_is_only_handed_out_again(table: Prepared) -> None:
    bought = buy(table, Median(column="age"), DistinctCount(column="region"))
    for one in bought:
        query = one.answer.query
        dearer = price(query, declared(), "1")
        assert free_answer([query], bought, declared(), 0.95, offers=[dearer]) is None
        offer = price(query, declared(), "1/4")
        found = free_answer([query], bought, declared(), 0.95, offers=[offer])
        assert found is not None
        assert found.answers == (one.answer,)
        assert found.is_enough([offer])
    assert derive(Median(column="age", where="sex = 'f'"), bought) is None


def test_more_precision_must_be_paid(table: Prepared) -> None:
    bought = buy(table, Count(by=("sex",)), spend="1/10")
    found = derive(Count(), bought)
    assert found is not None
    assert found.is_enough([price(Count(), declared(), "1/50")])
    assert not found.is_enough([price(Count(), declared(), "1")])
    assert not found.is_enough([])


def test_groups_that_people_are_left_out_of_do_not_add_up() -> None:
    entity = {"column": "person", "max_rows": 2, "max_groups": 1}
    limited = declared(entity=entity)
    table = prepare(frame(), limited)
    bought = [Bought(1, answer(Count(by=("sex",)), table, spend=1))]
    assert free_answer([Count()], bought, limited, 0.95, complete=COMPLETE) is None
    whole = declared(entity={"column": "person", "max_rows": 2})
    table = prepare(frame(), whole)
    bought = [Bought(1, answer(Count(by=("sex",)), table, spend=1))]
    assert free_answer([Count()], bought, whole, 0.95, complete=COMPLETE) is not None


@pytest.mark.parametrize("spend", [{"epsilon": "1/5"}, {"rho": "1/50"}])
def test_intervals_of_free_answers_hold_as_often_as_they_say(
    table: Prepared, spend: dict[str, str]
) -> None:
    true = frame()
    n_true = true.height
    mean_true = true["income"].mean()
    n, within, mean_within = 200, 0, 0
    for _ in range(n):
        bought = buy(
            table,
            Contingency(columns=("region", "sex")),
            Count(by=("region",)),
            Sum(column="income", by=("sex",)),
            Count(column="income"),
            spend=spend,
        )
        whole = only(derive(Count(), bought)).interval
        mean = only(derive(Mean(column="income"), bought)).interval
        assert whole is not None
        assert mean is not None
        within += whole[0] <= n_true <= whole[1]
        mean_within += mean[0] <= mean_true <= mean[1]
    # 95 % of 200 is 190; 178 or fewer come once in ten thousand times.
    assert within > 178
    assert mean_within > 178
