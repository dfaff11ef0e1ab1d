"""A ceiling is checked with the draws that are given, and with room for chance."""

from __future__ import annotations

import pytest

from microveil.app.advising.limits_drawn import drawn_checks, score_alone
from microveil.measures.subject import Subject
from microveil.recipes import limit
from microveil.risk import ClassSizes, Linkability
from microveil.tables import Table
from microveil.utility import IL1s
from tests.app.advising.cases import PEOPLE, ROLES

TABLE = Table(PEOPLE.drop("name"), ROLES.without(["name"]))
SUBJECT = Subject.of(TABLE, TABLE)


def reached(draws: tuple[int, ...], n_attacks: int = 30) -> float:
    required = limit(Linkability(n_attacks=n_attacks), at_most=0.5)
    (check,) = drawn_checks(required, SUBJECT, draws)
    return float(check.achieved)


def test_another_draw_attacks_other_people() -> None:
    assert len({reached((draw,)) for draw in range(5)}) > 1
    assert reached((3,)) == reached((3,))


def test_several_draws_leave_room_for_chance() -> None:
    each = [reached((draw,)) for draw in (1, 2, 3)]
    assert reached((1, 2, 3)) > sum(each) / 3
    assert reached((1, 2, 3)) >= max(each) - 0.05


def test_where_everybody_is_attacked_there_is_little_to_leave() -> None:
    whole = reached((1, 2, 3), n_attacks=PEOPLE.height)
    assert whole == pytest.approx(reached((1,), n_attacks=PEOPLE.height), abs=0.02)


def test_other_measures_are_taken_once() -> None:
    required = limit(ClassSizes(), at_most=0.5, part="average_risk")
    (check,) = drawn_checks(required, SUBJECT, (1, 2, 3))
    assert check.achieved == pytest.approx(ClassSizes().measure(TABLE).parts["average_risk"])


def test_a_measure_that_does_not_apply_has_no_value() -> None:
    texts = Table(PEOPLE.select("sex"))
    assert score_alone(IL1s(), Subject.of(texts, texts)) is None
