"""The course's tables have the properties that it speaks of."""

from __future__ import annotations

import microveil as mv
from microveil.studies.uoc import tables


def test_tables_that_are_compared_have_the_same_shape() -> None:
    for pair in (
        (tables.LINKED, tables.LINKED_1),
        (tables.LINKED, tables.LINKED_2),
        (tables.DIVERGING, tables.DIVERGING_1),
        (tables.DIVERGING, tables.DIVERGING_2),
        (tables.NOISE, tables.NOISE_UNCORRELATED),
        (tables.NOISE, tables.NOISE_CORRELATED),
        (tables.EXERCISE, tables.EXERCISE_1),
        (tables.EXERCISE, tables.EXERCISE_2),
        (tables.TO_GENERALIZE, tables.GENERALIZED),
        (tables.SWAPPED, tables.SWAPPED_1),
    ):
        assert pair[0].shape == pair[1].shape
        assert pair[0].columns == pair[1].columns


def test_swapped_ages_are_the_same_ages() -> None:
    assert sorted(tables.SWAPPED["age"]) == sorted(tables.SWAPPED_1["age"])
    assert len(tables.AGGREGATED_1) == tables.AGGREGATED.height
    means = [tables.AGGREGATED_1.count(value) for value in set(tables.AGGREGATED_1)]
    assert sorted(means) == [3, 3, 4]


def test_classes_are_as_large_and_as_diverse_as_the_course_says() -> None:
    roles = mv.Roles(quasi_identifiers=["occupation", "zip", "sex"], sensitive=["income"])
    for frame, diversity in (
        (tables.THREE_ANONYMOUS, 3),
        (tables.HOMOGENEOUS, 1),
        (tables.DIVERSE, 2),
    ):
        assert mv.KAnonymity(k=2).check(frame, roles).achieved == 3
        assert mv.LDiversity(l=2).check(frame, roles).achieved == diversity


def test_neighbouring_tables_differ_in_one_record() -> None:
    first = set(tables.SCHIZOPHRENIA["D1"])
    assert [len(first ^ set(tables.SCHIZOPHRENIA[name])) for name in ("D2", "D3", "D4")] == [
        1,
        1,
        1,
    ]
    assert sum(tables.SCHIZOPHRENIA["D2"].values()) == 3
