"""Disclosure, models and linkage come out as the course prints them, or with a reason."""

from __future__ import annotations

import pytest

from microveil.studies.cells import Experiment
from microveil.studies.uoc import models


def marks(found: Experiment) -> list[str]:
    return [cell.mark for cell in found.cells]


@pytest.mark.parametrize(
    "example", [models.intervals, models.neighbouring_tables, models.linkage, models.sensitivity]
)
def test_printed_digits_come_out(example: object) -> None:
    found = example()  # type: ignore[operator]
    assert set(marks(found)) <= {"equal", "new"}
    assert "equal" in marks(found)


def test_what_differs_has_its_reason() -> None:
    disclosed = models.disclosure()
    assert marks(disclosed) == ["equal", "equal", "differs", "equal"]
    assert "one in four" in next(cell for cell in disclosed.cells if cell.mark == "differs").why
    k = models.anonymity()
    assert marks(k) == ["equal", "equal", "equal", "differs", "new"]
    assert k.cells[-1].ours == 3
    assert not disclosed.unexplained_cells()
    assert not k.unexplained_cells()
    assert not models.diversity().unexplained_cells()


def test_an_outside_list_finds_one_teacher() -> None:
    found = models.exercise_1()
    assert marks(found) == ["equal"] * 4 + ["new"] * 4
