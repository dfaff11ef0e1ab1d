"""Example: a table that can be drawn at any size, and how its file is usually written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from microveil.errors import InputError
from microveil.files import Labels, WriteOptions, format_of, write
from microveil.studies.examples.numbers import Shape


@dataclass(frozen=True)
class Example:
    """A table that can be drawn at any size."""

    title: str
    rows: int
    """Number of rows by default."""
    draw: Callable[[int, int], pl.DataFrame]
    """Of a number of rows and a seed."""
    shaped: Callable[[Shape], pl.DataFrame] | None = None
    """Of a shape, where the number of columns, and perhaps of values, can be chosen."""
    labels: Labels = field(default_factory=Labels)
    """What statistics packages store beside the cells."""
    csv: WriteOptions = field(default_factory=WriteOptions)
    """How offices that have such tables write their CSV files."""

    def make(self, shape: Shape, seed: int) -> pl.DataFrame:
        """The table of a shape; what is not said is as usual."""
        if self.shaped is not None:
            return self.shaped(shape.fill(self.rows, seed))
        if shape.columns is not None or shape.values is not None:
            raise InputError("Its columns are given. Leave out --columns and --values.")
        return self.draw(shape.rows or self.rows, seed)

    def write(self, frame: pl.DataFrame, target: Path) -> None:
        """Write the table in order, a CSV file in the way of those who have such tables."""
        options: WriteOptions = {"labels": self.labels or None}
        if format_of(target).name == "csv":
            options.update(self.csv)
        write(frame, target, keep_order=True, **options)
