from __future__ import annotations

from fractions import Fraction

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import microveil as mv
from microveil import dp
from microveil.dp.predicates import fit_filter, predicate
from microveil.dp.prices.families import boxes, boxes_disjoint
from tests.calls import count_calls
from tests.dp.extremes import COLUMNS, SOURCES, filters_of
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


@pytest.mark.parametrize("kind", list(COLUMNS))
@settings(max_examples=60)
@given(data=st.data())
def test_filters_called_disjoint_share_no_cell_at_the_limits_of_any_type(
    kind: str, data: st.DataObject
) -> None:
    """Compared as the ledger does, by their stored texts; evaluated by the engine."""
    declaration = dp.Declaration.parse({"columns": {"x": COLUMNS[kind]}})
    pair = [data.draw(filters_of(kind)) for _ in range(2)]
    try:
        fitted = [fit_filter(where, declaration) for where in pair]
    except mv.QueryError:
        return
    assert [fit_filter(where, declaration) for where in fitted] == fitted
    stored = [dp.as_filter(str(where)) for where in fitted]
    assert stored == fitted
    apart = boxes_disjoint(boxes(stored[0]), boxes(stored[1]))
    # Without a declaration nothing is disjoint that any type would show twice.
    assert apart or not dp.disjoint(*fitted)
    both = predicate(fitted[0], declaration, ()) & predicate(fitted[1], declaration, ())
    for cells in SOURCES[kind]:
        seen = dp.prepare(pl.DataFrame({"x": cells}), declaration).frame().filter(both)
        assert not (apart and seen.height), str(cells.dtype)


@pytest.mark.parametrize("kind", ["integer", "real"])
def test_one_cell_is_not_counted_by_many_filters_for_one_price(kind: str) -> None:
    declaration = dp.Declaration.parse({"columns": {"x": {"type": kind}}})
    session = dp.Session(pl.DataFrame({"x": [2**60] * 1000}), declaration, budget=1)
    seen = 0
    for step in range(64):
        try:
            found = session.ask(dp.Count(where=f"x = {2**60 + step}"), 1)
        except (mv.QueryError, mv.BudgetError):
            continue
        seen += found.value > 500
    assert seen <= 1


def test_long_lists_are_compared_in_a_time_that_grows_with_their_length() -> None:

    def n_calls(n: int) -> int:
        texts = [f"x IN ({', '.join(str(2 * i + odd) for i in range(n))})" for odd in (0, 1)]
        one, other = (dp.as_filter(text) for text in texts)
        boxes.cache_clear()
        with count_calls() as calls:
            assert dp.disjoint(one, other)
        return calls.n

    assert n_calls(1000) < 30 * n_calls(100)
