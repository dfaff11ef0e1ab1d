"""Units: categories that may be merged; those of a few people are never named."""

from __future__ import annotations

import polars as pl

from microveil.app.advising.families.units import Units

PETS = pl.Series("pet", ["cat"] * 5 + ["dog"] * 4 + ["owl"] * 3 + ["eel", "fox", None])


def merged(groups: tuple[int, ...]) -> list[str | None]:
    units = Units.of(PETS, 3)
    assert units is not None
    frame = PETS.to_frame()
    for step in units.steps(groups):
        frame = step.protect(frame)
    return frame["pet"].to_list()


def test_rare_categories_are_one_unit() -> None:
    units = Units.of(PETS, 3)
    assert units is not None
    assert units.named == ("cat", "dog", "owl")
    assert units.n == 4
    assert units.of_record.tolist()[:14] == [0] * 5 + [1] * 4 + [2] * 3 + [3, 3]


def test_a_grouping_becomes_steps_that_do_not_name_the_rare() -> None:
    units = Units.of(PETS, 3)
    assert units is not None
    told = str([step.to_dict() for step in units.steps((0, 0, 1, 1))])
    assert "eel" not in told
    assert "fox" not in told
    assert merged((0, 0, 1, 1)) == ["{cat, dog}"] * 9 + ["other"] * 5 + [None]
    assert merged((0, 1, 2, 3)) == ["cat"] * 5 + ["dog"] * 4 + ["owl"] * 3 + ["other"] * 2 + [None]
    assert merged(()) == PETS.to_list()


def test_a_frequent_category_may_join_the_rare() -> None:
    assert merged((0, 1, 2, 0)) == ["other"] * 5 + ["dog"] * 4 + ["owl"] * 3 + ["other"] * 2 + [
        None
    ]


def test_two_categories_or_many_are_left_alone() -> None:
    assert Units.of(pl.Series("sex", ["f", "m"] * 9), 3) is None
    assert Units.of(pl.Series("id", [str(n) for n in range(200)]), 3) is None
    assert Units.of(pl.Series("x", ["other", "a", "b", "c"] * 5), 3) is None
