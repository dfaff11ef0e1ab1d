from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.app.exploration.front import Plane, front
from microveil.errors import InputError


@dataclass(frozen=True)
class Spot:
    number: int
    risk: float | None
    utility: float | None
    holds: bool | None = True

    @property
    def name(self) -> str:
        return f"spot {self.number}"

    def value(self, axis: str) -> float | None:
        return self.risk if axis == "risk" else self.utility


PLANE = Plane("risk", "loss")
grades = st.integers(0, 6).map(float)
spots = st.lists(st.tuples(grades, grades, st.booleans()), max_size=12).map(
    lambda rows: [Spot(i, *row) for i, row in enumerate(rows)]
)


@given(spots)
def test_the_front_is_what_no_other_point_beats(points: list[Spot]) -> None:
    counting = [one for one in points if one.holds]

    def beaten(one: Spot) -> bool:
        return any(
            (other.risk, other.utility) != (one.risk, one.utility)
            and other.risk <= one.risk  # type: ignore[operator]  # never none here
            and other.utility <= one.utility  # type: ignore[operator]  # never none here
            for other in counting
        )

    assert set(front(points, PLANE)) == {one for one in counting if not beaten(one)}


@given(spots)
def test_the_front_goes_from_the_lowest_risk_to_the_lowest_loss(points: list[Spot]) -> None:
    found = front(points, PLANE)

    risks = [one.risk for one in found]
    losses = [one.utility for one in found]
    assert risks == sorted(risks)  # type: ignore[type-var]  # never none here
    assert losses == sorted(losses, reverse=True)  # type: ignore[type-var]  # never none here


@given(spots, grades)
def test_the_best_under_a_risk_loses_least_of_all_within_it(
    points: list[Spot], limit: float
) -> None:
    within = [one for one in points if one.holds and one.risk <= limit]  # type: ignore[operator]  # never none here
    if not within:
        with pytest.raises(InputError, match="No point"):
            PLANE.best(points, (limit, None))
        return
    best = PLANE.best(points, (limit, None))

    assert best in within
    assert best.utility == min(one.utility for one in within)  # type: ignore[type-var]  # never none here


@given(spots)
def test_without_limits_the_best_point_is_on_the_front(points: list[Spot]) -> None:
    if any(one.holds for one in points):
        assert PLANE.best(points, (None, None)) in front(points, PLANE)


def test_where_more_is_better_the_front_turns_round() -> None:
    points = [Spot(0, 0.1, 0.2), Spot(1, 0.5, 0.9), Spot(2, 0.5, 0.1)]
    plane = Plane("risk", "accuracy", utility_better="higher")

    assert front(points, plane) == (points[0], points[1])
    assert plane.best(points, (None, 0.5)) == points[1]


def test_a_tenth_is_within_a_limit_of_a_tenth() -> None:
    assert PLANE.best([Spot(0, 0.1 + 1e-17, 1.0)], (0.1, None)).number == 0
    assert PLANE.best([Spot(0, 1 - 0.9, 1.0)], (0.1, None)).number == 0


def test_points_without_a_number_or_with_a_broken_promise_do_not_count() -> None:
    points = [Spot(0, None, 0.0), Spot(1, 0.0, 0.0, holds=False), Spot(2, 0.0, 0.0, holds=None)]

    assert front(points, PLANE) == ()
    with pytest.raises(InputError, match="column `problem`"):
        PLANE.best(points, (None, None))


def test_a_limit_out_of_reach_says_what_is_reached() -> None:
    with pytest.raises(InputError, match=r"risk reaches 0.3 at best, limit 0.1"):
        PLANE.best([Spot(0, 0.3, 0.1)], (0.1, None))


def test_a_limit_of_the_wrong_kind_is_refused() -> None:
    with pytest.raises(InputError, match="limit it by max_loss"):
        PLANE.limits(None, None, 0.5)
    with pytest.raises(InputError, match="limit it by min_utility"):
        Plane("risk", "gain", utility_better="higher").limits(None, 0.5, None)
    with pytest.raises(InputError, match="not by both"):
        PLANE.limits(None, 0.5, 0.5)
