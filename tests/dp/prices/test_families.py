from __future__ import annotations

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from microveil import dp
from tests.dp.sessions import FRAME, OLD, YOUNG
from tests.dp.tables import declared


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
