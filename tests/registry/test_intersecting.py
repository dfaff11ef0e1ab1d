"""The intersection attack against an independent recount of people, one by one."""

from __future__ import annotations

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

import microveil as mv

ROLES = mv.Roles(quasi_identifiers=["a", "b"])


def recount(frames: list[pl.DataFrame], person: str = "id") -> dict[int, int]:
    """People alike for everybody in the last release and an earlier one, by brute force."""
    shown: dict[int, list[set[tuple[object, ...]]]] = {}
    for place, frame in enumerate(frames):
        for row in frame.iter_rows(named=True):
            mine = shown.setdefault(row[person], [set() for _ in frames])
            mine[place].add((row["a"], row["b"]))
    found: dict[int, int] = {}
    for one, classes in shown.items():
        if not classes[-1] or not any(classes[:-1]):
            continue
        picks: list[dict[int, tuple[object, ...]]] = [{}]
        for place, keys in enumerate(classes):
            picks = [{**pick, place: key} for pick in picks for key in keys] if keys else picks
        found[one] = min(
            sum(all(key in other[place] for place, key in pick.items()) for other in shown.values())
            for pick in picks
        )
    return found


@st.composite
def releases(draw: st.DrawFn, most_rows: int = 1) -> list[pl.DataFrame]:
    n = draw(st.integers(2, 4))
    frames = []
    for _ in range(n):
        people = draw(st.lists(st.integers(1, 12), min_size=1, max_size=14, unique=most_rows == 1))
        cells = st.integers(0, 1)
        rows = [(one, draw(cells), draw(cells)) for one in people]
        frames.append(pl.DataFrame(rows, schema=["id", "a", "b"], orient="row"))
    return frames


@given(releases())
def test_people_alike_are_those_that_a_recount_finds(frames: list[pl.DataFrame]) -> None:
    _agree(frames)


@given(releases(most_rows=3))
def test_people_with_several_records_are_counted_once(frames: list[pl.DataFrame]) -> None:
    _agree(frames)


def _agree(frames: list[pl.DataFrame]) -> None:
    k = 4
    found = mv.intersection_attack(frames, ROLES, person="id", k=k)
    expected = recount(frames)
    assert found.n_people == len(expected)
    for smaller in range(1, k + 1):
        below = sum(size < smaller for size in expected.values())
        assert found.alike is not None
        assert found.alike.n_below(smaller) == below
    if expected and min(expected.values()) < k:
        assert found.smallest == min(expected.values())


def test_a_planted_attack_is_found_and_each_release_alone_is_safe() -> None:
    cells = [(age, place) for age in range(5) for place in range(5)]
    person = list(range(25))
    first = pl.DataFrame({"id": person, "a": [str(a) for a, _ in cells], "b": ["*"] * 25})
    second = pl.DataFrame({"id": person, "a": ["*"] * 25, "b": [str(b) for _, b in cells]})
    for one in (first, second):
        assert mv.assess(one.drop("id"), ROLES).k == 5
    found = mv.intersection_attack([first, second], ROLES, person="id", k=5)
    assert (found.smallest, found.n_unique, found.holds) == (1, 25, False)
    assert "25 are alone" in found.sentence()


def test_the_same_release_twice_another_order_and_other_people_are_harmless() -> None:
    one = pl.DataFrame({"id": range(20), "a": [i // 5 for i in range(20)], "b": 0})
    coarser = one.with_columns(pl.col("a") // 2).sample(fraction=1, shuffle=True, seed=1)
    others = one.with_columns(pl.col("id") + 100, pl.col("a") + 7)
    for two in (one, coarser, others):
        assert mv.intersection_attack([one, two], ROLES, person="id", k=5).holds


def test_a_missing_key_is_a_value_or_matches_every_value() -> None:
    one = pl.DataFrame({"id": range(4), "a": [1, 1, 1, None], "b": [0] * 4})
    category = mv.intersection_attack([one, one], ROLES, person="id", k=4)
    wildcard = mv.intersection_attack([one, one], ROLES, person="id", k=4, missing="wildcard")
    assert (category.smallest, wildcard.smallest) == (1, 4)
