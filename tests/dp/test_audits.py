"""On neighbouring tables no mechanism and no question shows more than it claims."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil import dp
from microveil.dp.answering import _quantile, _with_noise
from microveil.dp.parts import Choice, Vector
from microveil.dp.prepared import prepare
from microveil.dp.prices.bills import bill
from microveil.dp.tallies import frequencies, public_groups, tally

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


# What follows reads all that is drawn, on the worst neighbours there are, so that noise that is
# too small shows; each case is also tried with such noise, which it must convict.

CORNER = {"x": 10, "y": 1.0, "kind": "b", "flag": True, "free": "v"}
WORST: dict[str, dp.Query] = {
    "sum": dp.Sum(column="x"),
    "mean": dp.Mean(column="y"),
    "variance": dp.Variance(column="x"),
    "covariance": dp.Covariance(columns=["x", "y"]),
    "correlation": dp.Correlation(columns=["x", "y"]),
    "linear": dp.LinearRegression(target="y", features="x"),
    "logistic": dp.LogisticRegression(target="flag", features="x"),
}
N_DRAWS = 3000


def evidence(query: dp.Query, louder: float) -> dp.Audit:
    """The audit of all noisy sums by their likelihood ratio; noise is ``louder`` times too small.

    A row at the corner of the bounds moves each sum by all that the noise was made for.
    """
    declaration = dp.Declaration.parse(DECLARED)
    tables = [prepare(pl.DataFrame(rows), declaration) for rows in ([*ROWS, CORNER], ROWS)]
    paid = bill(query, declaration, PURE)
    part = paid.part
    assert isinstance(part, Vector)
    into = public_groups(query, part, tables[0])
    one, other = (tally(table, query, part, into)[0] for table in tables)
    drawn: list[Any] = []
    for true in (one, other):
        whole = np.zeros(N_DRAWS)
        for at, (term, draw) in enumerate(zip(part.terms, paid.draws, strict=True)):
            small = dp_replace(draw, scale=draw.scale / louder)
            noisy = _with_noise(np.full(N_DRAWS, true[at]), term, small) / float(term.unit)
            whole += (np.abs(noisy - other[at]) - np.abs(noisy - one[at])) / small.scale
        drawn.append(iter(whole))
    return dp.audit(lambda: next(drawn[0]), lambda: next(drawn[1]), N_DRAWS, confidence=0.9999)


def dp_replace(one: Any, **changes: Any) -> Any:
    from dataclasses import replace

    return replace(one, **changes)


@pytest.mark.parametrize("name", list(WORST))
def test_all_that_is_drawn_shows_no_more_than_is_claimed(name: str) -> None:
    assert evidence(WORST[name], 1).epsilon <= EPSILON


@pytest.mark.parametrize("name", list(WORST))
def test_noise_a_quarter_as_wide_is_convicted(name: str) -> None:
    assert evidence(WORST[name], 4).epsilon > EPSILON


def median_draws(louder: float, neighbours: str, n_draws: int) -> dp.Audit:
    """Median and interval among two candidates, where one row more tips the balance."""
    plain = {"columns": {"x": {"type": "integer", "bounds": [0, 1]}}, "neighbours": neighbours}
    declaration = dp.Declaration.parse(plain)
    query = dp.Median(column="x")
    paid = bill(query, declaration, PURE)
    part = paid.part
    assert isinstance(part, Choice)
    picks = tuple(dp_replace(pick, scale=pick.scale / louder) for pick in paid.picks)

    def draws_of(cells: list[int]) -> Callable[[], float]:
        ready = prepare(pl.DataFrame({"x": cells}), declaration)
        (counts,) = frequencies(ready, query, part, public_groups(query, part, ready))

        def draw() -> float:
            row = _quantile(part, counts, picks, 0.5, declaration, query)
            return float(row["value"] + row["low"] + row["high"])

        return draw

    changed = neighbours == "change_one"
    fewer = [0] * 4 + [1] * (4 if changed else 3)
    more = [0] * 3 + [1] * 5 if changed else [*fewer, 1]
    return dp.audit(draws_of(more), draws_of(fewer), n_draws, confidence=0.9999)


@relations
def test_a_median_shows_no_more_than_it_claims_on_the_worst_neighbours(neighbours: str) -> None:
    assert median_draws(1, neighbours, 400).epsilon <= EPSILON


@relations
def test_a_median_with_an_eighth_of_its_noise_is_convicted(neighbours: str) -> None:
    assert median_draws(8, neighbours, 1200).epsilon > EPSILON


def test_many_canaries_in_one_run_bound_the_loss() -> None:
    """Each canary is a count of its own, with Laplace noise for the claim or three times it."""
    rng = np.random.default_rng(5)
    found = {}
    for spent in (1.0, 3.0):
        included = rng.random(4000) < 0.5
        scores = dp.laplace(included.astype(np.int64), 1, spent)
        found[spent] = dp.audit_in_one_run(scores, included, confidence=0.9999).epsilon
    assert 0.2 < found[1.0] <= 1.0
    assert 1.0 < found[3.0] <= 3.0


def test_an_audit_in_one_run_counts_its_delta_and_its_input() -> None:
    included = np.arange(1000) % 2 == 0
    scores = included + np.random.default_rng(1).normal(0, 0.3, 1000)
    pure = dp.audit_in_one_run(scores, included)
    with_delta = dp.audit_in_one_run(scores, included, delta=1e-7)
    assert 0 < with_delta.epsilon < pure.epsilon
    assert dp.audit_in_one_run(np.zeros(1000), included).epsilon < 0.5
    with pytest.raises(mv.InputError, match="10 guesses"):
        dp.audit_in_one_run([1.0] * 20, [True] * 20)
