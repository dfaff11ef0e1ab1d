"""Sequential synthesis: columns drawn one after the other, each given those before it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import polars as pl

from microveil.arrays import Bytes, Floats, Ints
from microveil.cores import map_on_cores
from microveil.synthesis.parts.columns import CategoryColumn
from microveil.synthesis.parts.generator import Fitted
from microveil.synthesis.parts.levels import Levels, NumberLevels, levels_for
from microveil.synthesis.parts.training import Cells, Training
from microveil.tables.roles import check_columns


class ColumnModel(Protocol):
    """A model of one column given the levels of others."""

    def draw(self, levels: Bytes, rng: np.random.Generator) -> Ints | Floats:
        """Cells of the column for records with these (predictors, records) levels."""

    @property
    def facts(self) -> Mapping[str, Any]:
        """Plain numbers about the model."""

    @property
    def used(self) -> tuple[int, ...]:
        """Positions of the predictors that the model uses."""


class SequenceStep:
    """One column of a sequence: its predictors, how they become levels, and its model."""

    def __init__(self, name: str, predictors: Sequence[str]) -> None:
        self.name = name
        self.predictors = tuple(predictors)
        self.ladders: dict[str, Levels] = {}
        self.model: ColumnModel

    def levels(self, cells: Cells, known: dict[str, Bytes]) -> Bytes:
        """(predictors, records); levels of numbers are the same for all columns: see ``known``."""
        n = len(next(iter(cells.values()))) if cells else 0
        found = np.empty((len(self.predictors), n), dtype=np.uint8)
        for row, name in enumerate(self.predictors):
            ladder = self.ladders[name]
            if isinstance(ladder, NumberLevels):
                if name not in known:
                    known[name] = ladder.of_cells(cells[name].astype(np.float64))
                found[row] = known[name]
            else:
                found[row] = ladder.of_cells(cells[name].astype(np.int32))
        return found

    def read(self, training: Training, target: Ints | Floats, known: dict[str, Levels]) -> None:
        """Decide how each predictor becomes levels."""
        for name in self.predictors:
            column = training.columns[name]
            if name not in known:
                ladder = levels_for(column, training.cells[name], target)
                if isinstance(column, CategoryColumn):
                    # Categories are reordered for each target.
                    self.ladders[name] = ladder
                    continue
                known[name] = ladder
            self.ladders[name] = known[name]


def levels_of_numbers(
    training: Training, steps: Sequence[SequenceStep]
) -> tuple[dict[str, Levels], dict[str, Bytes]]:
    """How numbers become levels, and those of the records: the same for all columns."""
    names = dict.fromkeys(name for step in steps for name in step.predictors)
    numbers = [name for name in names if not isinstance(training.columns[name], CategoryColumn)]

    def level(name: str) -> tuple[Levels, Bytes]:
        cells = training.cells[name].astype(np.float64)
        ladder = NumberLevels.of(cells)
        return ladder, ladder.of_cells(cells)

    found = dict(zip(numbers, map_on_cores(level, numbers), strict=True))
    ladders: dict[str, Levels] = {name: both[0] for name, both in found.items()}
    return ladders, {name: both[1] for name, both in found.items()}


class SequenceModel(Fitted):
    """Models of all columns of a table in the order in which they are drawn."""

    def __init__(self, training: Training, steps: Sequence[SequenceStep]) -> None:
        self.training = training
        self.steps = tuple(steps)
        self.facts = {
            "order": [step.name for step in steps],
            "columns": {step.name: dict(step.model.facts) for step in steps},
        }
        self.modelled = tuple(
            (step.name, *(step.predictors[one] for one in step.model.used)) for step in steps
        )

    def sample(
        self, n: int, rng: np.random.Generator, given: pl.DataFrame | None = None
    ) -> pl.DataFrame:
        """Draw column after column."""
        cells = self.training.read_given(given)
        known: dict[str, Bytes] = {}
        for step in self.steps:
            levels = step.levels(cells, known) if cells else np.empty((0, n), dtype=np.uint8)
            cells[step.name] = step.model.draw(levels, rng)
        return self.training.frame(cells)


def visit_order(training: Training, wanted: Sequence[str]) -> list[str]:
    """The columns to model: the requested ones first, then those with the fewest values.

    Columns with few values come first because many records then share what later ones are given.
    """
    check_columns(wanted, training.columns)
    first = [name for name in wanted if name in training.modelled]
    rest = [name for name in training.modelled if name not in first]
    n_values = {name: len(np.unique(training.cells[name])) for name in rest}
    return [*first, *sorted(rest, key=lambda name: n_values[name])]


def predictors_of(
    name: str, before: Sequence[str], wanted: Mapping[str, Sequence[str]]
) -> tuple[str, ...]:
    """Columns on which a column may depend: all before it, or the chosen ones among them."""
    if name not in wanted:
        return tuple(before)
    late = [one for one in wanted[name] if one not in before]
    if late:
        from microveil.errors import ColumnError

        raise ColumnError(
            "Column '{name}' cannot depend on {late:quoted}, which is drawn later or not at "
            "all. Put it first in `order`, or leave it out.",
            name=name,
            late=late,
        )
    return tuple(wanted[name])
