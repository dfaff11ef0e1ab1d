"""Generalisation of one column along a hierarchy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray
from pydantic import BeforeValidator

from microveil.hierarchies import STAR, AnyHierarchy, Distinct
from microveil.labels.recoding import Recoding
from microveil.methods.parts.base import Method, Outcome
from microveil.methods.parts.recoding import replay
from microveil.tables import Table
from microveil.tables.values import as_text


def _level(raw: object) -> object:
    if isinstance(raw, bool) or not isinstance(raw, int | str):
        raise ValueError("Input should be a level's number or name.")  # noqa: TRY004  pydantic lists it with the recipe's other problems
    if isinstance(raw, int) and raw < 0:
        raise ValueError("Input should be 0 or more: level 0 is the value itself.")
    return raw


class Generalize(Method):
    """Replace each value by a coarser one: an age by its decade, a town by its country.

    The same value becomes the same label everywhere (global recoding); missing stays missing. Takes
    one pass over the records to find the distinct values and one to assign their labels.

    >>> decade = {"hierarchy": "intervals", "width": 10}
    >>> step = Generalize(column="age", hierarchy=decade, level=1)
    >>> step.protect({"age": [34, None, 38]})["age"].to_list()
    ['[30, 40)', None, '[30, 40)']
    """

    public_parameters: ClassVar[tuple[str, ...]] = ("level", "unlisted", "star_missing")
    method: Literal["generalize"] = "generalize"
    column: str
    """Column to generalise."""
    hierarchy: AnyHierarchy
    """How values generalise: a builder, the path of a CSV or YAML file, or an inline ``tree``."""
    level: Annotated[int | str, BeforeValidator(_level)]
    """Target level: its number (0 is the value itself) or its name."""
    unlisted: Literal["error", "star", "keep"] = "error"
    """What happens to values that the hierarchy does not list: an error, replacement by ``*``, or
    they ``keep`` their value."""
    star_missing: bool = False
    """Whether missing cells become ``*``, too: a column that is ``*`` throughout says nothing."""

    @property
    def row_wise(self) -> bool:
        """Whether the hierarchy labels a value independently of the rest of the column."""
        return self.hierarchy.row_wise

    @property
    def draws(self) -> bool:
        """Never: nothing is left to chance."""
        return False

    def apply(self, table: Table, rng: np.random.Generator) -> Outcome:  # noqa: ARG002  no chance
        """Assign every record the label of its value."""
        table.require([self.column])
        series = table.frame[self.column]
        distinct = Distinct.of(series)
        if not len(distinct.values):
            # Nothing to look up: only the type of the column is determined.
            same = self.level == 0 and self.unlisted == "error" and not self.star_missing
            empty = series if same else self._star_missing(series.cast(pl.String))
            return Outcome(table.with_columns([empty]), self._facts(0, 0, 0))
        hierarchy = self.hierarchy.build_for(distinct)
        level = self.hierarchy.level_index(hierarchy, self.level)
        match = hierarchy.match(distinct)
        if self.unlisted == "error":
            match.require_all(self.hierarchy.gap_hint)
        labels = hierarchy.labels_of(match, level)
        if self.unlisted == "keep":
            own = as_text(distinct.values)
            labels = labels.zip_with(pl.Series(match.rows >= 0), own.alias(labels.name))
        # If a star may appear the column is text, in every batch of a streamed file.
        same = level == 0 and self.unlisted == "error" and not self.star_missing
        changed = series if same else self._star_missing(distinct.spread(labels))
        facts = self._facts(len(distinct.values), labels.n_unique(), match.n_unlisted)
        return Outcome(table.with_columns([changed]), facts)

    def recodes(self, name: str, values: pl.Series, counts: NDArray[np.int64]) -> Recoding | None:
        """What each value becomes."""
        return None if name != self.column else replay(self, values, counts, self.hierarchy)

    def _star_missing(self, labels: pl.Series) -> pl.Series:
        return labels.fill_null(STAR) if self.star_missing else labels

    def merge_facts(self, first: Mapping[str, Any], second: Mapping[str, Any]) -> Mapping[str, Any]:
        """Only unlisted records add up; distinct labels of two parts may coincide."""
        n_unlisted = first.get("n_unlisted", 0) + second["n_unlisted"]
        return {"column": self.column, "level": self.level, "n_unlisted": n_unlisted}

    def _facts(self, before: int, after: int, n_unlisted: int) -> dict[str, int | str]:
        return {
            "column": self.column,
            "level": self.level,
            "n_labels_before": before,
            "n_labels_after": after,
            "n_unlisted": n_unlisted,
        }
