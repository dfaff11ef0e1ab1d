"""ClassPlan: the result of every class of equal rows, looked up for each row of a part."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from microveil.arrays import Flags, Longs
from microveil.errors import FileError
from microveil.methods import Outcome
from microveil.planning.class_index import ClassIndex, places
from microveil.planning.plan import State, StepPlan
from microveil.tables import Table
from microveil.tables.names import free_name
from microveil.tables.table import Counted


@dataclass(frozen=True, eq=False)
class ClassPlan(StepPlan):
    """Each class of equal rows has one result, or several, assigned to its rows in their order."""

    keys: pl.DataFrame
    """The classes: distinct rows of ``columns``."""
    entries: pl.DataFrame
    """The changed columns of each result, the results of a class one after another."""
    kept: Flags
    """Whether rows with this result stay."""
    of_class: Longs
    """Class of each result, ascending."""
    counts: Longs
    """Rows that get each result."""
    told: Mapping[str, Any]

    @property
    def kind(self) -> str:
        """From counts."""
        return "from counts"

    @property
    def facts(self) -> Mapping[str, Any]:
        """What the step reported about all records."""
        return self.told

    @property
    def removes(self) -> bool:
        """Whether some classes are removed."""
        return not bool(self.kept.all())

    @cached_property
    def _first(self) -> Longs:
        """The first result of each class."""
        return np.searchsorted(self.of_class, np.arange(self.keys.height))

    @cached_property
    def _split(self) -> Flags:
        """Classes with several results."""
        return np.bincount(self.of_class, minlength=self.keys.height) > 1

    @property
    def opaque(self) -> bool:
        """If a class has several results: the order of rows then decides."""
        return self.sequential

    @property
    def sequential(self) -> bool:
        """Likewise."""
        return bool(self._split.any())

    def start(self) -> State:
        """Rows of each class that came before: none."""
        return np.zeros(self.keys.height, np.int64) if self.sequential else None

    def tally(self, part: Table) -> Longs:
        """Rows of each class in a part."""
        if not self.sequential:
            return np.empty(0, np.int64)
        return np.bincount(self._classes(part), minlength=self.keys.height)

    def starts(self, tallies: Longs, rng: np.random.Generator) -> list[State]:  # noqa: ARG002  no chance
        """Rows of each class in the parts before."""
        if not self.sequential:
            return [None for _ in tallies]
        before = np.cumsum(tallies, axis=0) - tallies
        return list(before)

    def protect(self, part: Table, rng: np.random.Generator, state: State) -> Outcome:  # noqa: ARG002  no chance
        """Look up every row; the state counts the rows of each class seen so far."""
        if self._by_column is not None:
            return Outcome(self._replace_columns(part, self._by_column))
        classes = self._classes(part)
        entry = self._first[classes]
        if state is not None:
            some = np.flatnonzero(self._split[classes])
            place = _ranks(classes[some]) + state[classes[some]] + self._begin[classes[some]]
            entry[some] = np.searchsorted(self._ends, place, side="right")
            state += np.bincount(classes, minlength=len(state))
        changed = [one.gather(pl.Series(entry)) for one in self.entries.iter_columns()]
        return Outcome(part.with_columns(changed).filter(self.kept[entry]))

    def shape(self, rows: Table) -> Table:
        """The rows whose class is known; the others came from another random draw."""
        known = places(self.keys, rows.frame).is_not_null().to_numpy()
        return super().shape(rows.filter(known))

    @cached_property
    def _ends(self) -> Longs:
        return np.cumsum(self.counts)

    @cached_property
    def _begin(self) -> Longs:
        """Rows of all classes before each class."""
        return np.append(0, self._ends)[self._first]

    @cached_property
    def _index(self) -> ClassIndex:
        return ClassIndex(self.keys)

    def _classes(self, part: Table) -> Longs:
        found = self._index.places(part.frame)
        if found.null_count():
            raise FileError(
                "{n_missing} rows were not there when the table was counted: the data "
                "changed while they were read. Run again.",
                n_missing=found.null_count(),
            )
        return found.to_numpy()

    @cached_property
    def _by_column(self) -> dict[str, pl.DataFrame] | None:
        """For each column, the new value of each value, if that depends on nothing else."""
        if self.sequential:
            return None
        tables = {}
        for new in self.entries.iter_columns():
            pairs = pl.DataFrame({"old": self.keys[new.name], "new": new}).filter(self.kept)
            table = pairs.unique()
            if table["old"].n_unique() < table.height:
                return None
            tables[new.name] = table
        return tables

    @cached_property
    def _removed(self) -> pl.DataFrame:
        return self.keys.filter(~self.kept)

    def _replace_columns(self, part: Table, tables: Mapping[str, pl.DataFrame]) -> Table:
        """Whole columns recoded value by value, without the rows of classes that are removed."""
        if self._removed.height:
            part = part.filter(places(self._removed, part.frame).is_null().to_numpy())
        changed = []
        for name, table in tables.items():
            row = places(table.select(pl.col("old").alias(name)), part.frame)
            if row.null_count():
                self._classes(part)  # says what is wrong
            changed.append(table["new"].gather(row).alias(name))
        return part.with_columns(changed) if changed else part


def class_plan(
    plan: tuple[Any, int, tuple[str, ...]], found: Counted, outcome: Outcome, each: Longs
) -> ClassPlan:
    """The plan given by what a step did to the rows of the classes.

    ``each`` is the class of every row that the step was given; if a class has several rows, they
    may be treated differently, and the class has several results.
    """
    step, position, columns = plan
    kept = np.ones(len(each), dtype=np.bool_)
    after = outcome.table
    if after.rows is not None:
        kept[:] = False
        kept[after.rows] = True
    changed = [name for name in columns if name in after.columns]
    frame = after.frame.select(changed)
    place = np.full(len(each), -1, np.int64)
    place[kept] = np.arange(after.height)
    results = _take(frame, place)
    if len(each) == found.keys.height:
        entries, of_class, counts = results, each, found.counts
    else:
        entries, kept, of_class, counts = _runs(results, kept, each)
    before = found.keys[of_class] if len(of_class) != found.keys.height else found.keys
    entries = entries.select(
        name for name in changed if not _same(before[name], entries[name], kept)
    )
    return ClassPlan(
        step, position, columns, found.keys, entries, kept, of_class, counts, outcome.facts
    )


def _take(frame: pl.DataFrame, place: Longs) -> pl.DataFrame:
    """Rows at some places; none where a place is −1."""
    rows = pl.Series(place).replace(-1, None)
    return frame.select(pl.all().gather(rows)) if frame.width else frame


def _same(before: pl.Series, after: pl.Series, kept: Flags) -> bool:
    """Whether a column is unchanged in all rows that stay."""
    return before.dtype == after.dtype and bool(before.filter(kept).equals(after.filter(kept)))


def _runs(
    results: pl.DataFrame, kept: Flags, each: Longs
) -> tuple[pl.DataFrame, Flags, Longs, Longs]:
    """Equal results of a class merged, with the number of rows that get them."""
    of_class, stays = free_name("class", results.columns), free_name("kept", results.columns)
    n = free_name("n", [*results.columns, of_class, stays])
    told = results.with_columns(pl.Series(of_class, each), pl.Series(stays, kept))
    grouped = told.group_by(told.columns).agg(pl.len().cast(pl.Int64).alias(n))
    ordered = grouped.sort(of_class, stays, *results.columns, descending=False)
    return (
        ordered.select(results.columns),
        ordered[stays].to_numpy(),
        ordered[of_class].to_numpy(),
        ordered[n].to_numpy(),
    )


def _ranks(classes: Longs) -> Longs:
    """Place of each row among those of its class, in their order."""
    order = np.argsort(classes, kind="stable")
    ordered = classes[order]
    starts = np.flatnonzero(np.diff(ordered, prepend=-1))
    ranks = np.empty(len(classes), np.int64)
    sizes = np.diff(starts, append=len(ordered))
    ranks[order] = np.arange(len(ordered)) - np.repeat(starts, sizes)
    return ranks
