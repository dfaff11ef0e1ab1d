from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import microveil as mv
from microveil import dp
from microveil.dp.prepared import prepare
from tests.dp.tables import QUERIES, declared, survey

FRAME = survey(400)
YOUNG, OLD = dp.Count(where="age < 40"), dp.Count(where="age >= 40")


def test_a_budget_is_spent_to_the_last_bit_and_not_beyond() -> None:
    session = dp.Session(FRAME, declared(), budget=1)
    for number in range(10):
        session.ask(dp.Count(where=f"age > {number}"), 0.1)
    assert session.left == dp.Loss()
    assert session.spent == dp.Loss(epsilon=1)
    with pytest.raises(mv.BudgetError, match="nothing is left"):
        session.ask(dp.Count(where="age > 50"), dp.Loss(epsilon="1e-9"))
    assert len(session.history) == 10


def test_the_same_question_gets_the_same_answer_for_free() -> None:
    session = dp.Session(FRAME, declared(), budget=1)
    first = session.ask(dp.Count(where="age > 40 AND smokes"), "1/2")
    again = session.ask(dp.Count(where="smokes and 40 < age"), "1/2")
    assert again is first
    assert session.ask(dp.Count(where="smokes AND age > 40"), "1/4") is first
    assert session.spent == dp.Loss(epsilon="1/2")


def test_more_precision_is_paid_for() -> None:
    session = dp.Session(FRAME, declared(), budget=2)
    first = session.ask(dp.Count(), 0.5)
    second = session.ask(dp.Count(), 1)
    assert second is not first
    assert session.spent == dp.Loss(epsilon="3/2")


def test_questions_about_different_people_are_paid_once() -> None:
    session = dp.Session(FRAME, declared(), budget=1)
    session.ask(YOUNG, 0.5)
    session.ask(OLD, 0.5)
    assert session.spent == dp.Loss(epsilon="1/2")
    session.ask(dp.Mean(column="income", where="age >= 40 AND smokes"), 0.25)
    assert session.spent == dp.Loss(epsilon="3/4")
    session.ask(dp.Mean(column="income", where="age < 40 AND smokes"), 0.25)
    assert session.spent == dp.Loss(epsilon="3/4")


def test_a_changed_row_can_be_in_two_questions() -> None:
    session = dp.Session(FRAME, declared(neighbours="change_one"), budget=2)
    for low in (20, 40, 60):
        session.ask(dp.Count(where=f"age >= {low} AND age < {low + 20}"), 0.5)
    assert session.spent == dp.Loss(epsilon=1)


def test_an_entity_with_several_rows_pays_for_each_question() -> None:
    declaration = declared(entity={"column": "id", "max_rows": 3})
    session = dp.Session(FRAME, declaration, budget=2)
    session.ask(YOUNG, 0.5)
    session.ask(OLD, 0.5)
    assert session.spent == dp.Loss(epsilon=1)


def test_a_budget_in_rho_counts_pure_answers_as_half_their_square() -> None:
    session = dp.Session(FRAME, declared(), budget=dp.Loss(rho=1))
    session.ask(dp.Count(), dp.Loss(rho="1/4"))
    session.ask(dp.Count(where="smokes"), dp.Loss(epsilon=1))
    assert session.spent == dp.Loss(rho="3/4")
    assert session.ask(dp.Count(where="age > 3"), error=50).loss.rho > 0


def test_tight_accounting_affords_far_more_questions() -> None:
    budget = dp.Loss(epsilon=1, delta="1e-6")
    spend = dp.Loss(rho="1/20000")
    session = dp.Session(prepare(FRAME, declared()), budget=budget, accounting="tight")
    for number in range(60):
        session.ask(dp.Count(where=f"income > {number}"), spend)
    assert session.spent.epsilon < Fraction(31, 100)  # added up, they would cost 60 × 0.05
    assert session.epsilon("1e-6") == float(session.spent.epsilon)
    with pytest.raises(mv.BudgetError, match="all answers together"):
        session.ask(dp.Count(), dp.Loss(rho=1))
    with pytest.raises(mv.InputError, match="an ε with a δ"):
        dp.Session(FRAME, declared(), budget=1, accounting="tight")


def test_sql_splits_its_spend_over_its_questions() -> None:
    session = dp.Session(FRAME, declared(), budget=1)
    count, mean = session.sql("SELECT COUNT(*), AVG(age) FROM survey", spend=0.5)
    assert count.loss == mean.loss == dp.Loss(epsilon="1/4")
    assert "2 answers" in repr(session)


@pytest.mark.parametrize("error", [1, 10, 500])
def test_a_wanted_error_is_kept_and_not_overpaid(error: float) -> None:
    offer = dp.price(dp.Count(), declared(), error=error)
    assert offer.error is not None
    assert offer.error <= error
    cheaper = dp.price(dp.Count(), declared(), offer.loss * "9/10")
    assert cheaper.error is not None
    assert cheaper.error >= error


@pytest.mark.parametrize("name", [n for n in QUERIES if n != "top"])
@pytest.mark.parametrize("currency", ["epsilon", "rho"])
def test_every_question_can_be_priced_by_its_error(name: str, currency: Any) -> None:
    given = dp.price(QUERIES[name], declared(size=2000), dp.Loss.parse({currency: 1}))
    assert given.error
    offer = dp.price(QUERIES[name], declared(size=2000), error=given.error, currency=currency)
    assert offer.error is not None
    assert offer.error <= given.error
    assert getattr(offer.loss, currency) <= Fraction(101, 100)


def test_an_error_that_cannot_be_foretold_is_said_so() -> None:
    with pytest.raises(mv.QueryError, match="cannot be predicted"):
        dp.price(dp.Mean(column="age"), declared(), error=1)
    with pytest.raises(mv.QueryError, match="either"):
        dp.price(dp.Count(), declared())
    with pytest.raises(mv.QueryError, match="above 0"):
        dp.price(dp.Count(), declared(), error=0)


def test_a_forecast_is_what_the_answer_says() -> None:
    declaration = declared(size=400)
    for name in ("count", "sum", "count_by", "histogram"):
        offer = dp.price(QUERIES[name], declaration, 1)
        found = dp.answer(QUERIES[name], FRAME, declaration, 1)
        row = found.rows[0]
        assert offer.error == pytest.approx((row["high"] - row["low"]) / 2, rel=1e-6)
        assert offer.loss == found.loss
        assert offer.noises == found.noises


def test_a_plan_splits_the_budget_and_keeps_to_it() -> None:
    queries = [dp.Count(), dp.Mean(column="age"), dp.Median(column="age")]
    made = dp.plan(queries, 1, declared(size=400), weights=[2, 1, 1])
    assert [item.spend.epsilon for item in made.items] == [
        Fraction(1, 2),
        Fraction(1, 4),
        Fraction(1, 4),
    ]
    assert made.total == dp.Loss(epsilon=1)
    assert made.frame.height == 3
    session = dp.Session(FRAME, declared(size=400), budget=1)
    assert len(made.run(session)) == 3
    assert session.left == dp.Loss()


def test_a_plan_gives_each_of_disjoint_questions_the_whole_share() -> None:
    made = dp.plan([YOUNG, OLD], 1, declared())
    assert [item.spend.epsilon for item in made.items] == [1, 1]
    assert made.total == dp.Loss(epsilon=1)


def test_a_plan_of_many_questions_takes_gaussian_noise_and_fits_the_budget() -> None:
    queries = [dp.Count(where=f"age != {number}") for number in range(50)]
    budget = dp.Loss(epsilon=1, delta="1e-6")
    made = dp.plan(queries, budget, declared())
    assert made.items[0].spend.rho
    session = dp.Session(FRAME, declared(), budget=budget, accounting="tight")
    made.run(session)
    assert session.spent.epsilon <= 1
    alone = dp.plan(queries, dp.Loss(epsilon=1), declared())
    assert made.items[0].price.error < alone.items[0].price.error / 2  # type: ignore[operator]


@settings(max_examples=40)
@given(
    st.lists(
        st.tuples(st.integers(0, 9), st.integers(1, 5), st.integers(1, 4)), min_size=1, max_size=8
    ),
    st.sampled_from(["add_remove", "change_one"]),
)
def test_families_charge_what_the_dearest_person_loses_at_least(
    questions: list[tuple[int, int, int]], neighbours: str
) -> None:
    """A person at each age loses the sum over the questions that see that age."""
    families = dp.Families(declared(neighbours=neighbours))
    charged = dp.Loss()
    seen = [Fraction(0)] * 20
    for low, width, price in questions:
        query = dp.Count(where=f"age >= {low} AND age < {low + width}")
        offered = families.charge(query, dp.Loss(epsilon=price))
        paid = families.add(query, dp.Loss(epsilon=price))
        assert paid == offered
        charged += paid
        for age in range(low, low + width):
            seen[age] += price
    assert charged == families.total
    assert charged.epsilon <= sum(price for *_, price in questions)
    if neighbours == "add_remove":
        assert charged.epsilon >= max(seen)
        return
    # A row that changes from one age to another is seen at both.
    for one in range(20):
        for other in range(20):
            lost = sum(
                price
                for low, width, price in questions
                if low <= one < low + width or low <= other < low + width
            )
            assert charged.epsilon >= lost


def test_plans_need_questions_and_sensible_weights() -> None:
    for queries, weights in (([], None), ([dp.Count()], [1, 2]), ([dp.Count()], [0])):
        with pytest.raises(mv.QueryError):
            dp.plan(queries, 1, declared(), weights=weights)
