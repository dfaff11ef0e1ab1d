from __future__ import annotations

import math

import polars as pl
import pytest

import microveil as mv
from microveil import dp
from microveil.dp.prepared import prepare
from tests.dp.answered import READY
from tests.dp.tables import PRIVATE


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


@pytest.mark.parametrize("name", list(PRIVATE))
def test_private_keys_show_when_they_are_frequent(name: str) -> None:
    spend = dp.Loss(epsilon=4, delta="1e-6")
    found = dp.answer(PRIVATE[name], READY, spend=spend)
    assert found.loss == spend
    assert {row["job"] for row in found.rows} == {f"job {number}" for number in range(8)}
    rho = dp.answer(PRIVATE[name], READY, spend=dp.Loss(rho=2, delta="1e-6"))
    assert {row["job"] for row in rho.rows} == {f"job {number}" for number in range(8)}


def test_a_key_of_one_person_shows_with_delta_at_most() -> None:
    frame = pl.DataFrame({"age": [30] * 400, "job": ["clerk"] * 399 + ["astronaut"]})
    declaration = dp.Declaration.parse(
        {"columns": {"age": {"type": "integer", "bounds": [0, 100]}, "job": {"type": "text"}}}
    )
    ready = prepare(frame, declaration)
    spend = dp.Loss(epsilon=2, delta="1/20")
    shown = sum(
        any(
            row["job"] == "astronaut"
            for row in dp.answer(dp.Count(by="job"), ready, spend=spend).rows
        )
        for _ in range(1000)
    )
    assert shown / 1000 <= 0.05 + 5 * math.sqrt(0.05 * 0.95 / 1000)
    assert shown > 0  # δ is spent, not wasted


def test_private_keys_without_a_delta_are_refused_with_the_way_out() -> None:
    with pytest.raises(mv.QueryError, match="Spend a δ so"):
        dp.answer(dp.Count(by="job"), READY, spend=1)
