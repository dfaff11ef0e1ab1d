"""Every question: right without noise, unbiased with it, and as far off as it says."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil import dp
from microveil.dp.prepared import prepare
from tests.dp.tables import PRIVATE, QUERIES, declared, survey

HUGE = dp.Loss(epsilon=10**9)
FRAME = survey()
READY = prepare(FRAME, declared(size=2000))
names = pytest.mark.parametrize("name", list(QUERIES))


def numbers(answer: dp.Answer) -> list[float]:
    """The values of an answer as numbers, row by row."""
    return [as_number(row["value"]) for row in answer.rows]


def as_number(value: Any) -> float:
    if isinstance(value, str):
        days = np.datetime64(value).astype("datetime64[D]").astype(int) if "-" in value else 0
        return float(days)
    return float(value)


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
"""What the questions are about, counted plainly."""


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


def test_a_mean_by_group_is_the_groups_mean() -> None:
    found = dp.answer(dp.Mean(column="age", by="region"), READY, spend=HUGE).frame
    for row in found.iter_rows(named=True):
        same = FRAME.filter(pl.col("region").eq_missing(pl.lit(row["region"])))
        assert row["value"] == pytest.approx(same["age"].mean(), rel=1e-9)


def test_histogram_and_contingency_are_counts() -> None:
    bins = dp.answer(dp.Histogram(column="age", edges=[0, 30, 60, 100]), READY, spend=HUGE).frame
    ages = FRAME["age"]
    assert bins["value"].to_list() == [
        (ages < 30).sum(),
        ((ages >= 30) & (ages < 60)).sum(),
        (ages >= 60).sum(),
    ]
    by_keys = dp.answer(dp.Contingency(columns=["region", "smokes"]), READY, spend=HUGE)
    by_count = dp.answer(dp.Count(by=["region", "smokes"]), READY, spend=HUGE)
    assert by_keys.rows == by_count.rows


def test_the_most_frequent_keys_come_first() -> None:
    found = dp.answer(dp.TopK(column="region", k=3), READY, spend=HUGE)
    assert [row["value"] for row in found.rows] == ["north", "south", "east"]


def test_linear_regression_is_least_squares() -> None:
    found = dp.answer(QUERIES["linear"], READY, spend=HUGE).frame
    rows = FRAME.drop_nulls(["income"])
    features = np.column_stack([np.ones(rows.height), rows["age"], rows["smokes"].cast(pl.Float64)])
    expected = np.linalg.lstsq(features, rows["income"].clip(0, 1000).to_numpy(), rcond=None)[0]
    assert found["term"].to_list() == ["intercept", "age", "smokes"]
    assert found["value"].to_numpy() == pytest.approx(expected, rel=5e-3)


def test_logistic_regression_is_near_the_likeliest_for_weak_effects() -> None:
    from sklearn.linear_model import LogisticRegression

    rng = np.random.default_rng(3)
    age = rng.integers(0, 101, 20_000)
    chance = 1 / (1 + np.exp(-(age - 50) / 100))
    frame = pl.DataFrame({"age": age, "smokes": rng.random(20_000) < chance})
    declaration = dp.Declaration.parse(
        {"columns": {"age": {"type": "integer", "bounds": [0, 100]}, "smokes": {"type": "boolean"}}}
    )
    query = dp.LogisticRegression(target="smokes", features="age")
    found = dp.answer(query, frame, declaration, HUGE).frame["value"].to_list()
    model = LogisticRegression(C=np.inf).fit(age[:, None], frame["smokes"].to_numpy())
    assert found[1] == pytest.approx(model.coef_[0, 0], rel=0.05)
    assert found[0] == pytest.approx(model.intercept_[0], rel=0.08)


@names
@pytest.mark.parametrize("spend", [dp.Loss(epsilon=2), dp.Loss(rho="1/2")], ids=["epsilon", "rho"])
def test_intervals_cover_the_truth_as_often_as_they_say(name: str, spend: dp.Loss) -> None:
    assert_covered(name, spend, n_draws=30)


@pytest.mark.slow
@names
@pytest.mark.parametrize(
    "spend",
    [dp.Loss(epsilon="0.5"), dp.Loss(epsilon=1, delta="1e-6"), dp.Loss(rho="1/20")],
    ids=["epsilon", "approximate", "rho"],
)
def test_intervals_cover_the_truth_in_many_draws(name: str, spend: dp.Loss) -> None:
    assert_covered(name, spend, n_draws=400)


def assert_covered(name: str, spend: dp.Loss, n_draws: int) -> None:
    query = QUERIES[name]
    if query.kind() == "top_k":
        pytest.skip("a choice of keys has no interval")
    # Choices and regressions have answers of their own even without noise: compare with those.
    truth = numbers(dp.answer(query, READY, spend=HUGE))
    hits = n = 0
    for _ in range(n_draws):
        rows = dp.answer(query, READY, spend=spend).rows
        hits += sum(
            as_number(row["low"]) - 1e-9 <= true <= as_number(row["high"]) + 1e-9
            for row, true in zip(rows, truth, strict=True)
        )
        n += len(rows)
    # Rows of one answer share their noise in part, so that draws are what counts here.
    assert hits / n >= 0.95 - 5 * math.sqrt(0.95 * 0.05 / n_draws)


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


@names
def test_every_answer_says_what_it_cost_and_whom_it_protects(name: str) -> None:
    found = dp.answer(QUERIES[name], READY, spend=dp.Loss(epsilon="1/3"))
    assert found.loss == dp.Loss(epsilon="1/3")
    assert "adding or removing one row" in found.relation
    assert "adding or removing one row" in found.sentence
    assert found.scale > 0
    plain = json.loads(json.dumps(found.to_dict()))
    assert dp.Answer.from_dict(plain).to_dict() == found.to_dict()
    assert set(found.frame.columns) == set(found.rows[0])


@names
def test_every_question_survives_a_file_and_its_text_is_its_name(name: str) -> None:
    query = QUERIES[name]
    again = dp.QUERIES.parse(json.loads(json.dumps(query.to_dict())))
    assert again == query
    assert again.canonical() == query.canonical()
    assert type(query).summary().endswith(".")
    for field, info in type(query).model_fields.items():
        assert field == "query" or info.description


@pytest.mark.parametrize("spend", [dp.Loss(epsilon="1/3"), dp.Loss(rho="1/100")])
@names
def test_what_is_drawn_costs_no_more_than_what_is_charged(name: str, spend: dp.Loss) -> None:
    offer = dp.price(QUERIES[name], declared(), spend)
    pure = sum(e.amount for e in offer.events if e.mechanism in {"laplace", "pure"})
    gaussian = sum(e.amount for e in offer.events if e.mechanism == "gaussian")
    if spend.epsilon:
        assert pure <= spend.epsilon
        assert not gaussian
    else:
        bounded = sum(e.amount**2 / 8 for e in offer.events if e.mechanism == "pure")
        assert gaussian / 2 + bounded <= spend.rho
    assert offer.loss == spend


@names
def test_with_a_delta_the_narrower_noise_is_bought_and_kept_within(name: str) -> None:
    spend = dp.Loss(epsilon=1, delta="1e-5")
    offer = dp.price(QUERIES[name], declared(), spend)
    assert offer.loss.fits(spend)
    assert dp.tight_epsilon(offer.events, offer.loss.delta) <= 1.0001
    alone = dp.price(QUERIES[name], declared(), dp.Loss(epsilon=1))
    if offer.noises[0].distribution == "gaussian":
        assert offer.noises[0].scale < math.sqrt(2) * alone.noises[0].scale


def test_many_sums_at_once_are_better_off_with_gaussian_noise() -> None:
    wide = declared(entity={"column": "id", "max_rows": 1})
    query = dp.LinearRegression(target="income", features=["age", "smokes"])
    offer = dp.price(query, wide, dp.Loss(epsilon=1, delta="1e-5"))
    assert {noise.distribution for noise in offer.noises} == {"gaussian"}
    assert offer.loss.delta == dp.Loss(delta="1e-5").delta


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


def test_a_missing_bound_says_how_to_choose_one() -> None:
    declaration = dp.Declaration.parse({"columns": {"income": {"type": "real"}}})
    with pytest.raises(mv.QueryError, match="never from the data"):
        dp.price(dp.Sum(column="income"), declaration, 1)


def test_the_bounds_decide_not_the_data() -> None:
    far = pl.DataFrame({"income": [1e12, -1e12, math.inf, math.nan]})
    declaration = dp.Declaration.parse({"columns": {"income": {"type": "real", "bounds": [0, 10]}}})
    assert dp.answer(dp.Sum(column="income"), far, declaration, HUGE).value == pytest.approx(20)


def test_an_entity_counts_with_the_rows_it_may_have() -> None:
    frame = pl.DataFrame({"id": [1] * 50 + [2, 3, None], "age": [30] * 53})
    declaration = dp.Declaration.parse(
        {
            "columns": {"age": {"type": "integer", "bounds": [0, 100]}},
            "entity": {"column": "id", "max_rows": 4},
        }
    )
    assert dp.answer(dp.Count(), frame, declaration, HUGE).value == 6
    assert dp.answer(dp.DistinctCount(), frame, declaration, HUGE).value == 3
    offer = dp.price(dp.Count(), declaration, 1)
    assert offer.noises[0].scale == 4
    assert dp.price(dp.DistinctCount(), declaration, 1).noises[0].scale == 1
    assert "column 'id', 4 rows at most" in offer.unit


def test_a_public_size_is_told_for_free_and_only_then() -> None:
    frame = survey(100)
    declaration = declared(neighbours="change_one", size=100, size_is_public=True)
    found = dp.answer(dp.Count(), frame, declaration, 1)
    assert found.value == 100
    assert found.loss.is_free
    assert "public" in found.sentence
    assert not dp.answer(dp.Count(where="age > 3"), frame, declaration, 1).loss.is_free
    with pytest.raises(mv.ColumnError, match="number of rows"):
        dp.answer(dp.Count(), survey(99), declaration, 1)


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


def test_marginals_are_tables_of_noisy_counts() -> None:
    found = dp.marginals(
        FRAME, declared(), ["region", ("region", "smokes")], HUGE, nonnegative=True
    )
    assert list(found) == [("region",), ("region", "smokes")]
    assert found["region",]["value"].sum() == FRAME.height
