from __future__ import annotations

import datetime as dt

import polars as pl
import pytest

import microveil as mv
from microveil.methods import Method, SetMissing

N = 200
HEIGHTS = [9999.0 if i % 50 == 0 else 150.0 + i % 40 for i in range(N)]
FRAME = pl.DataFrame(
    {
        "age": [200 if i == 7 else 20 + i % 60 for i in range(N)],
        "height": HEIGHTS,
        "seen": [dt.date(2199 if i == 3 else 2020, 1, 1 + i % 28) for i in range(N)],
        "town": ["N/A" if i % 9 == 0 else "ab"[i % 2] for i in range(N)],
        "w": [10**9] * N,
    }
)
ROLES = mv.Roles(quasi_identifiers=["age", "town"], insensitive=["height", "seen"], weight="w")
TOPICS = {"impossible_age", "missing_code", "future_date", "impossible_population"}


def noticed(*steps: Method) -> dict[str, list[str]]:
    """Columns by topic, of what a run with these steps notices."""
    release = mv.run(mv.Recipe(roles=ROLES, steps=steps), FRAME)
    found: dict[str, list[str]] = {}
    for one in release.cautions:
        if one.kind in TOPICS:
            found.setdefault(one.kind, []).extend(one.columns)
            assert one.sentence in mv.run(mv.Recipe(roles=ROLES, steps=steps), FRAME).card().lines
    return found


def test_a_run_notices_dirt_in_what_it_releases() -> None:
    assert noticed() == {
        "impossible_age": ["age"],
        "missing_code": ["height", "town"],
        "future_date": ["seen"],
        "impossible_population": ["w"],
    }


@pytest.mark.parametrize("topic", sorted(TOPICS - {"impossible_population"}))
def test_the_step_that_is_offered_sees_to_it(topic: str) -> None:
    before = mv.run(mv.Recipe(roles=ROLES), FRAME).cautions
    steps = [SetMissing.parse(one.details["step"]) for one in before if one.kind == topic]
    assert steps
    assert topic not in noticed(*steps)


def test_columns_that_do_not_leave_are_not_looked_at() -> None:
    assert "missing_code" not in noticed(mv.Drop(columns=["height", "town"]))


def test_labels_say_which_codes_are_no_values() -> None:
    frame = pl.DataFrame({"q": [1, 2, 8] * 40})
    labels = mv.Labels(values={"q": {1: "yes", 2: "no", 8: "Don't know"}})
    recipe = mv.Recipe(roles=mv.Roles(quasi_identifiers=["q"]))
    (found,) = [
        one for one in mv.run(recipe, frame, labels=labels).cautions if one.kind == "missing_code"
    ]
    assert found.details["step"]["values"] == [8]
