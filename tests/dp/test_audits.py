"""On neighbouring tables no mechanism and no question shows more than it claims."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest

from microveil import dp
from microveil.dp.prepared import prepare

EPSILON = 1.0

DECLARED: dict[str, Any] = {
    "columns": {
        "x": {"type": "integer", "bounds": [0, 10]},
        "y": {"type": "real", "bounds": [-1, 1]},
        "kind": {"type": "text", "keys": ["a", "b"]},
        "flag": {"type": "boolean"},
        "free": {"type": "text"},
    }
}
ROWS = [
    {"x": 0, "y": -1.0, "kind": "a", "flag": False, "free": "u"},
    {"x": 0, "y": -1.0, "kind": "a", "flag": False, "free": "u"},
    {"x": 10, "y": 1.0, "kind": "b", "flag": True, "free": "u"},
]
MINE = {"x": 10, "y": 1.0, "kind": "b", "flag": True, "free": "v"}
OTHER = {"x": 0, "y": -1.0, "kind": "a", "flag": False, "free": "w"}

Reads = Callable[[dp.Answer], float]


def first(answer: dp.Answer) -> float:
    return float(answer.rows[0]["value"])


def last(answer: dp.Answer) -> float:
    return float(answer.rows[-1]["value"])


def gap(answer: dp.Answer) -> float:
    return float(answer.rows[-1]["value"]) - float(answer.rows[0]["value"])


def best(answer: dp.Answer) -> float:
    return float(answer.rows[0]["value"] == "b")


def shown(answer: dp.Answer) -> float:
    return float(any(row["free"] == "v" for row in answer.rows))


def upper(answer: dp.Answer) -> float:
    return float(answer.rows[0]["high"])


CASES: dict[str, tuple[dp.Query, Reads]] = {
    "count": (dp.Count(where="flag"), first),
    "count_by": (dp.Count(by="kind"), gap),
    "distinct": (dp.DistinctCount(column="free"), first),
    "sum": (dp.Sum(column="x"), first),
    "mean": (dp.Mean(column="y"), first),
    "variance": (dp.Variance(column="x"), first),
    "covariance": (dp.Covariance(columns=["x", "y"]), first),
    "correlation": (dp.Correlation(columns=["x", "y"]), first),
    "median": (dp.Median(column="x"), first),
    "median_interval": (dp.Quantile(column="x", share=0.9), upper),
    "histogram": (dp.Histogram(column="x", bins=2), last),
    "contingency": (dp.Contingency(columns=["kind", "flag"]), last),
    "top": (dp.TopK(column="kind", k=1), best),
    "private_keys": (dp.Count(by="free"), shown),
    "linear": (dp.LinearRegression(target="y", features="x"), last),
    "logistic": (dp.LogisticRegression(target="flag", features="x"), last),
}


def draws(
    query: dp.Query, reads: Reads, rows: list[dict[str, Any]], neighbours: str, spend: dp.Loss
) -> Callable[[], float]:
    declaration = dp.Declaration.parse(DECLARED | {"neighbours": neighbours})
    ready = prepare(pl.DataFrame(rows), declaration)
    return lambda: reads(dp.answer(query, ready, spend=spend))


def audited(name: str, neighbours: str, spend: dp.Loss, n_draws: int) -> dp.Audit:
    query, reads = CASES[name]
    one, other = [*ROWS, MINE], [*ROWS, OTHER] if neighbours == "change_one" else ROWS
    return dp.audit(
        draws(query, reads, one, neighbours, spend),
        draws(query, reads, other, neighbours, spend),
        n_draws,
        delta=float(spend.delta),
        confidence=0.999999,
    )


cases = pytest.mark.parametrize("name", list(CASES))
relations = pytest.mark.parametrize("neighbours", ["add_remove", "change_one"])
PURE = dp.Loss(epsilon=1)
WITH_DELTA = dp.Loss(epsilon=1, delta="1/50")


@cases
@relations
def test_no_question_shows_more_than_it_claims(name: str, neighbours: str) -> None:
    spend = WITH_DELTA if name == "private_keys" else PURE
    assert audited(name, neighbours, spend, 100).epsilon <= EPSILON


@pytest.mark.slow
@cases
@relations
@pytest.mark.parametrize("spend", [PURE, WITH_DELTA], ids=["pure", "with_delta"])
def test_no_question_shows_more_than_it_claims_in_many_draws(
    name: str, neighbours: str, spend: dp.Loss
) -> None:
    if name == "private_keys" and not spend.delta:
        pytest.skip("private keys cost a δ")
    assert audited(name, neighbours, spend, 3000).epsilon <= EPSILON


MECHANISMS: dict[str, Callable[[int], Callable[[], float]]] = {
    "laplace": lambda x: lambda: float(dp.laplace([x], 1, EPSILON)[0]),
    "gaussian": lambda x: lambda: float(dp.gaussian([x], 1, "1/200")[0]),
    "exponential": lambda x: lambda: float(dp.exponential([1 - x, x], 1, EPSILON)),
    "report_noisy_max": lambda x: lambda: float(dp.report_noisy_max([1 - x, x], 1, EPSILON)),
    "above_threshold": lambda x: lambda: above(x),
    "randomized_response": lambda x: lambda: float(dp.randomized_response([bool(x)], EPSILON)[0]),
}


def above(x: int) -> float:
    found = dp.above_threshold([1 - x, x, 1 - x, x], 1, 1, EPSILON)
    return -1.0 if found is None else float(found)


@pytest.mark.parametrize("name", list(MECHANISMS))
@pytest.mark.parametrize(
    "n_draws", [200, pytest.param(40_000, marks=pytest.mark.slow)], ids=["few", "many"]
)
def test_no_mechanism_shows_more_than_it_claims(name: str, n_draws: int) -> None:
    draw = MECHANISMS[name]
    delta = 0.0
    if name == "gaussian":
        delta = dp.gaussian_delta(EPSILON, math.sqrt(2 / 200))
    found = dp.audit(draw(1), draw(0), n_draws, delta=delta, confidence=0.999999)
    assert found.epsilon <= EPSILON


def test_an_audit_convicts_a_mechanism_that_claims_too_little() -> None:
    careless = 3.0
    found = dp.audit(
        lambda: float(dp.laplace([1], 1, careless)[0]),
        lambda: float(dp.laplace([0], 1, careless)[0]),
        1500,
    )
    assert EPSILON < found.epsilon <= careless


def test_an_audit_of_one_and_the_same_finds_nothing_much() -> None:
    rng = np.random.default_rng(1)
    found = dp.audit(rng.random, rng.random, 2000)
    assert found.epsilon < 0.3
