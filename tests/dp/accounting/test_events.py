from __future__ import annotations

from fractions import Fraction

import pytest

from microveil.dp.accounting.events import Event
from microveil.errors import SpecError


def test_an_event_keeps_its_amount_exactly_through_a_file() -> None:
    event = Event.parse({"mechanism": "laplace", "amount": 0.1, "steps": 3})
    assert event.amount == Fraction(1, 10)
    assert event.slack == 0
    assert Event.parse(event.to_dict()) == event


@pytest.mark.parametrize(
    "wrong", [{"mechanism": "magic"}, {"amount": -1}, {"amount": "much"}, {"steps": 0}]
)
def test_what_was_never_drawn_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(SpecError):
        Event.parse({"mechanism": "pure", "amount": 1} | wrong)
