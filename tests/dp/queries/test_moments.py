from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil import dp
from tests.dp.answered import FRAME, HUGE, READY, numbers
from tests.dp.tables import QUERIES


def test_a_mean_by_group_is_the_groups_mean() -> None:
    found = dp.answer(dp.Mean(column="age", by="region"), READY, spend=HUGE).frame
    for row in found.iter_rows(named=True):
        same = FRAME.filter(pl.col("region").eq_missing(pl.lit(row["region"])))
        assert row["value"] == pytest.approx(same["age"].mean(), rel=1e-9)


@pytest.mark.parametrize("name", ["count", "sum", "count_by", "histogram", "sum_by"])
@pytest.mark.parametrize("spend", [dp.Loss(epsilon=1), dp.Loss(rho="1/2")], ids=["epsilon", "rho"])
def test_sums_and_counts_are_unbiased_and_spread_as_they_say(name: str, spend: dp.Loss) -> None:
    query = QUERIES[name]
    truth = np.array(numbers(dp.answer(query, READY, spend=HUGE)))
    drawn = [dp.answer(query, READY, spend=spend) for _ in range(60)]
    errors = np.array([numbers(one) for one in drawn]) - truth
    (noise,) = drawn[0].noises
    expected = noise.scale * (math.sqrt(2) if noise.distribution == "laplace" else 1)
    n = errors.size
    assert abs(errors.mean()) <= 5 * expected / math.sqrt(n)
    assert np.sqrt((errors**2).mean()) == pytest.approx(expected, rel=5 / math.sqrt(n) * 1.2)


def test_a_missing_bound_says_how_to_choose_one() -> None:
    declaration = dp.Declaration.parse({"columns": {"income": {"type": "real"}}})
    with pytest.raises(mv.QueryError, match="never from the data"):
        dp.price(dp.Sum(column="income"), declaration, 1)


def test_the_bounds_decide_not_the_data() -> None:
    far = pl.DataFrame({"income": [1e12, -1e12, math.inf, math.nan]})
    declaration = dp.Declaration.parse({"columns": {"income": {"type": "real", "bounds": [0, 10]}}})
    assert dp.answer(dp.Sum(column="income"), far, declaration, HUGE).value == pytest.approx(20)
