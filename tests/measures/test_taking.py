from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Literal

import numpy as np
import polars as pl
import pytest

from microveil.errors import InputError
from microveil.measures.taking import Kept, take
from microveil.scores import Score
from microveil.tables import Table
from tests.measures.cases import BOTH, Width


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


def test_values_per_record_are_kept_of_the_measures_that_are_named() -> None:
    class Each(Width):
        """One with a value for each record."""

        def score(self, original: Table, released: Table) -> Score:
            frames = {"small": pl.DataFrame({"x": [1]})}
            records = np.zeros(original.height)
            return Score(self.kind(), float(released.height), records=records, frames=frames)

    def kept(records: Kept) -> list[bool]:
        taken = take({"one": Each(), "other": Each()}, BOTH, records=records)
        assert all((score.records is None) != bool(score.frames) for score in taken.scores.values())
        return [score.records is not None for score in taken.scores.values()]

    assert kept(records=True) == [True, True]
    assert kept(records=False) == [False, False]
    assert kept(records=["other"]) == [False, True]
