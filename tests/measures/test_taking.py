from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Literal

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.errors import InputError
from microveil.measures.base import UtilityMeasure
from microveil.measures.subject import Subject
from microveil.measures.taking import take
from microveil.scores import Score
from microveil.tables import Table

TABLE = Table({"x": [1, 2, 3], "town": ["a", "b", "c"]}, mv.Roles(quasi_identifiers=["town"]))
BOTH = Subject(TABLE, TABLE)


class Width(UtilityMeasure):
    """A measure that yields what it is told."""

    name: Literal["width"] = "width"
    width: float = 1

    def score(self, original: Table, released: Table) -> Score:  # noqa: ARG002  looks at nothing
        return Score(self.kind(), self.width)


class Refusing(Width):
    """One that does not fit the tables."""

    name: Literal["refusing"] = "refusing"  # type: ignore[assignment]  # another kind

    def score(self, original: Table, released: Table) -> Score:  # noqa: ARG002  it fails
        raise InputError("no such column today")


class Failing(Width):
    """One that breaks."""

    name: Literal["failing"] = "failing"  # type: ignore[assignment]  # another kind
    error: ClassVar[Callable[[], BaseException]]

    def score(self, original: Table, released: Table) -> Score:  # noqa: ARG002  it fails
        raise type(self).error()


def failing(error: BaseException) -> Failing:
    Failing.error = lambda: error
    return Failing()


def test_what_cannot_be_taken_is_skipped_with_its_reason() -> None:
    seen: list[tuple[float, float, str]] = []
    taken = take([Width(), Refusing()], BOTH, progress=lambda *news: seen.append(news))
    assert list(taken.scores) == ["width"]
    assert taken.skipped == {"refusing": "no such column today"}
    assert seen == [(0, 2, "width"), (1, 2, "refusing")]


def test_what_was_asked_for_must_fit() -> None:
    with pytest.raises(InputError, match="no such column today"):
        take([Refusing()], BOTH, asked=True)


@pytest.mark.parametrize("asked", [True, False])
@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (np.linalg.LinAlgError("cell SECRET"), "equation"),
        (OverflowError("cell SECRET"), "too large"),
        (FloatingPointError("cell SECRET"), "too large"),
        (MemoryError(), "memory"),
        (ValueError("cannot convert SECRET to integer"), "(ValueError)"),
        (pl.exceptions.ComputeError("SECRET"), "(ComputeError)"),
        (pl.exceptions.PanicException("SECRET"), "(PanicException)"),
    ],
)
def test_a_measure_that_fails_takes_nothing_down(
    error: BaseException,
    reason: str,
    asked: bool,  # noqa: FBT001  a case
) -> None:
    taken = take([failing(error), Width()], BOTH, asked=asked)
    assert list(taken.scores) == ["width"]
    assert reason in taken.skipped["failing"]
    assert "SECRET" not in taken.skipped["failing"]


def test_an_interrupt_is_no_failure_of_a_measure() -> None:
    with pytest.raises(KeyboardInterrupt):
        take([failing(KeyboardInterrupt())], BOTH)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_score_that_is_no_number_is_not_taken(value: float) -> None:
    taken = take([Width.model_construct(width=value)], BOTH)
    assert taken.skipped == {"width": "the result on these data is not a finite number"}


def test_two_of_one_kind_are_told_apart() -> None:
    taken = take([Width(width=1), Width(width=2)], BOTH, asked=True)
    assert {name: one.value for name, one in taken.scores.items()} == {"width": 1, "width_2": 2}


def test_numbers_that_only_the_design_has_are_none_for_an_intruder() -> None:
    roles = mv.Roles(quasi_identifiers=["town"], weight="x")
    weighted = TABLE.with_roles(roles)
    taken = take([mv.IntervalDisclosure(), mv.IL1s()], Subject(weighted, weighted))
    assert list(taken.scores) == ["il1s"]
    assert "no column of numbers" in taken.skipped["interval_disclosure"]


def test_labels_that_say_no_number_are_no_numbers() -> None:
    words = Table({"x": ["small", "small", "large"], "town": ["a", "b", "c"]})
    ranges = Table({"x": ["[1, 2]", "[1, 2]", "3"], "town": ["a", "b", "c"]})
    assert "il1s" in take([mv.IL1s()], Subject(TABLE, words)).skipped
    assert "il1s" in take([mv.IL1s()], Subject(TABLE, ranges)).scores


def test_rows_in_another_order_are_paired_by_no_measure() -> None:
    apart = Subject(TABLE, TABLE, aligned=False)
    taken = take([mv.RecordLinkage(), mv.IL1s(), mv.Discernibility()], apart)
    assert list(taken.scores) == ["discernibility"]
    assert set(taken.skipped.values()) == {"needs rows in the same order"}


def test_attacks_learn_labels_from_rows_only_where_rows_belong_together() -> None:
    before = Table(
        {"job": ["nurse", "doctor", "cook", "baker"] * 20, "ill": ["a", "b", "c", "d"] * 20},
        mv.Roles(quasi_identifiers=["job"], sensitive=["ill"]),
    )
    groups = {"nurse": "health", "doctor": "health", "cook": "food", "baker": "food"}
    after = before.with_columns([before.frame["job"].replace(groups)])
    inference = [mv.Inference()]
    linked = take(inference, Subject(before, after)).scores["inference"]
    apart = take(inference, Subject(before, after, aligned=False)).scores["inference"]
    assert linked.parts["attack"]["rate"] == pytest.approx(0.5)
    assert apart.parts["attack"]["rate"] == pytest.approx(0.25)


def test_a_recipe_s_hierarchies_and_reading_are_those_of_its_measures() -> None:
    tree = {"tree": {"north": ["a", "b"], "south": ["c", "d"]}}
    step = mv.Generalize(column="town", hierarchy=tree, level=1)
    recipe = mv.Recipe(roles=TABLE.roles, steps=[step], missing="wildcard")
    released = mv.run(recipe, TABLE.frame).table.take(np.array([2, 1, 0]))
    # As a file would be read: no row link, another order.
    bare = Subject(TABLE, Table(released.frame, TABLE.roles), aligned=False)
    known = Subject(*(bare.original, bare.released), aligned=False, recipe=recipe)
    loss = [mv.GeneralizationLoss()]
    assert "cannot be read" in take(loss, bare).skipped["generalization_loss"]
    assert take(loss, known).scores["generalization_loss"].value == pytest.approx(1 / 3)
    own = mv.GeneralizationLoss(hierarchies={"town": {"tree": {"north": ["a", "b"], "south": "c"}}})
    assert take([own], known).scores["generalization_loss"].value == pytest.approx(1 / 3)
