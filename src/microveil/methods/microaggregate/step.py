"""Microaggregation: small groups of similar records, each replaced by its centre."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray
from pydantic import Field, model_validator

from microveil.arrays import Ints
from microveil.errors import InputError
from microveil.methods.microaggregate.group_values import (
    Aggregation,
    chosen_aggregation,
    group_values,
)
from microveil.methods.microaggregate.likeness import refuse_other_kinds
from microveil.methods.microaggregate.partitions import Algorithm, Found, Partition, partition
from microveil.methods.parts.base import Method, Outcome
from microveil.methods.parts.columns import SomeColumns, refuse_kinds, usable_frame
from microveil.methods.parts.households import (
    HouseholdColumns,
    household_facts,
    household_level,
    joined_facts,
    person_facts,
    person_level,
)
from microveil.methods.parts.ranks import needs_order
from microveil.methods.parts.strata import strata_rows
from microveil.methods.parts.weights import usable_weights
from microveil.tables import Table
from microveil.tables.kinds import has_order
from microveil.texts import join, phrase

ONE_COLUMN = ("optimal", "fixed")
"""Algorithms that sort by one column."""


class Microaggregate(Method):
    """Replace the values of small groups of similar records by their mean, median or mode.

    Groups always have k to 2k−1 records. All columns are grouped together (or separately with
    ``each``), so that k records share every combination: with all quasi-identifiers the result is
    k-anonymous. Means are preserved (weighted ones if the roles name a weight), variances shrink.

    A missing cell stays missing and enters no mean. Records are grouped only with records that have
    the same missing cells; if there are fewer than k of them, their other cells are suppressed too.

    >>> step = Microaggregate(columns="age", k=2)
    >>> step.protect({"age": [30, 32, 50, 51, 54]})["age"].to_list()
    [31.0, 31.0, 51.666666666666664, 51.666666666666664, 51.666666666666664]
    """

    public_parameters: ClassVar[tuple[str, ...]] = ("aggregation", "keep_integers")
    method: Literal["microaggregate"] = "microaggregate"
    columns: SomeColumns = ()
    """Columns to protect; grouped together unless ``each``."""
    k: int = Field(ge=2)
    """Smallest number of records in a group."""
    algorithm: Algorithm = "mdav"
    """``mdav``; ``refined`` (MDAV, then a search that only lowers the loss); ``v_mdav`` (groups of
    variable size); ``optimal`` (one column, smallest possible loss); ``fixed`` (one column, k
    neighbours in sorted order); ``principal_component`` or ``single_axis`` (sorted by one axis)."""
    aggregation: Aggregation | dict[str, Aggregation] = "auto"
    """What stands for a group: ``mean``, ``median``, ``mode``, ``convex_median``, ``medoid`` (the
    text or list with the least sum of edit distances), ``majority`` (what half of the lists have),
    for all columns or by column; ``auto``: mean of numbers and dates, median of enums, mode of the
    rest; with ``distance: edit`` the medoid, and of lists what goes with the distance."""
    each: bool = False
    """Group every column separately (individual ranking): little loss, but no k-anonymity."""
    standardize: bool = True
    """Whether every column counts alike in distances, whatever its unit."""
    distance: Literal["euclidean", "gower", "cosine", "jaccard", "edit"] = "euclidean"
    """Between records: ``gower`` adds up differences over ranges, and 1 per differing category;
    ``cosine`` the angle between vectors, ``jaccard`` what two sets do not share, ``edit`` the
    symbols to change in texts or lists. All but euclidean: ``mdav`` only, and quadratic in time."""
    gamma: float = Field(default=0.2, ge=0)
    """How readily ``v_mdav`` groups grow; about 1.1 suits clustered data."""
    axis: str | None = None
    """Column that ``single_axis`` sorts by; by default the first."""
    steps: int | None = Field(default=None, ge=0)
    """Number of proposals of the ``refined`` search, about 0.2 µs each; by default 20,000 per
    record, at most 20 million."""
    keep_integers: bool = False
    """Round means of whole numbers to whole numbers; the column's mean is then nearly preserved."""
    by_strata: bool = True
    """Group within the roles' strata, if there are any."""
    household_columns: HouseholdColumns = None
    """Columns that describe a household as a whole and are grouped among households, if the roles
    name a household; by default those that are constant within every household. Records are then
    grouped within groups of households."""
    weighted: bool = True
    """Whether means, medians and modes use the roles' weight, if there is one: weighted means of
    columns are then preserved, rather than unweighted ones."""

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        problems = []
        if self.algorithm in ONE_COLUMN and len(self.columns) > 1 and not self.each:
            problems.append(
                phrase(
                    "`{algorithm}` sorts one column: set `each: true`, or use mdav",
                    algorithm=self.algorithm,
                )
            )
        if self.distance != "euclidean" and self.algorithm != "mdav":
            problems.append(
                phrase("`distance: {distance}` goes with `algorithm: mdav`", distance=self.distance)
            )
        if self.axis is not None and self.algorithm != "single_axis":
            problems.append(phrase("`axis` goes with `algorithm: single_axis`"))
        if self.axis is not None and self.axis not in self.columns:
            problems.append(phrase("`axis` must be one of the columns"))
        if isinstance(self.aggregation, dict):
            unknown = [name for name in self.aggregation if name not in self.columns]
            problems += (
                [phrase("`aggregation` names {unknown:quoted}, not a column here", unknown=unknown)]
                if unknown
                else []
            )
        if problems:
            raise ValueError(phrase("{problems}.", problems=join(problems, "; ")))
        return self

    @property
    def perturbative(self) -> bool:
        """Always: a mean is nobody's value."""
        return True

    @property
    def draws(self) -> bool:
        """Only where groups are refined by chance."""
        return self.algorithm == "refined"

    def apply(self, table: Table, rng: np.random.Generator) -> Outcome:
        """Group the records and replace the values of each group by its centre."""
        found, told = (
            household_level(table, self.columns, self.household_columns, self.kind()),
            household_facts,
        )
        if found is None:
            found, told = person_level(table, self.columns), person_facts
        if found is None:
            return self.group(table, rng)[0]
        households, shared = found
        once, group = self._only(shared).group(households.collapse(table), rng)
        done = Outcome(households.spread(table, once.table, shared))
        own = tuple(name for name in self.columns if name not in shared)
        if own:
            # Within groups of households (people), so that k records share all columns together.
            within = None if self.each else group[households.of_record]
            done, _ = self._only(own).group(done.table, rng, within)
        facts = joined_facts(once.facts, done.facts)
        return Outcome(done.table, facts | told(table, done.table, households, shared, facts))

    def _only(self, columns: tuple[str, ...]) -> Microaggregate:
        axis = self.axis if self.axis in columns else None
        return self.model_copy(update={"columns": columns, "household_columns": (), "axis": axis})

    def group(
        self, table: Table, rng: np.random.Generator, within: Ints | None = None
    ) -> tuple[Outcome, Ints]:
        """The table with its groups' centres, and the group of each record; −1 for none."""
        frame = self._usable(table)
        if self.algorithm in (*ONE_COLUMN, "single_axis"):
            sorted_by = [self.axis or self.columns[0]] if not self.each else self.columns
            refuse_kinds(frame, sorted_by, has_order, needs_order(self.kind()))
        how = {
            name: chosen_aggregation(frame[name], self._aggregation_of(name), self.distance)
            for name in self.columns
        }
        group = np.full(table.height, -1, dtype=np.int32)
        work = _Work({name: [] for name in self.columns}, self._weights(table), group)
        strata = strata_rows(table, self.columns, apart=self.by_strata)
        if within is not None:
            strata = [piece for rows in strata for piece in _split(rows, within[rows])]
            work.may_blank = True
        for rows in strata:
            for names in [(name,) for name in self.columns] if self.each else [self.columns]:
                self._group(frame.select(names), rows, how, work, rng)
        changed = [_column(frame[name], work.pieces[name], how[name]) for name in self.columns]
        return Outcome(table.with_columns(changed), self._facts(frame, work)), work.group

    def _usable(self, table: Table) -> pl.DataFrame:
        """The table's frame, once the columns are known to fit the distance."""
        distance = self.distance
        if distance == "euclidean" or distance == "gower":  # noqa: PLR1714  narrows the type
            return usable_frame(table, self.columns, self.kind())
        if not self.columns:
            usable_frame(table, (), self.kind())
        table.require(self.columns)
        refuse_other_kinds(table.frame.select(self.columns), distance)
        return table.frame

    def _aggregation_of(self, name: str) -> Aggregation:
        if isinstance(self.aggregation, dict):
            return self.aggregation.get(name, "auto")
        return self.aggregation

    def _group(
        self,
        frame: pl.DataFrame,
        rows: Ints,
        how: Mapping[str, Aggregation],
        work: _Work,
        rng: np.random.Generator,
    ) -> None:
        """Group some rows of some columns, those with the same missing cells together."""
        blocks = _same_gaps(frame, rows)
        filled = [(names, block) for names, block in blocks if names]
        too_few = all(len(block) < self.k for _, block in filled)
        if filled and too_few and not work.may_blank:
            n_records = sum(len(block) for _, block in filled)
            raise InputError(
                "Groups of {k} cannot be formed from {n_records} records in column "
                "{columns:quoted}{within}. Choose a smaller k, or ignore strata with "
                "`by_strata: false`.",
                k=self.k,
                n_records=n_records,
                columns=frame.columns,
                within=phrase(" of one stratum") if len(rows) < frame.height else "",
            )
        for names, block in filled:
            if len(block) < self.k:
                work.n_blanked += len(block) * len(names)
                continue
            whole = len(block) == frame.height
            part = frame.select(names) if whole else frame.select(names)[block]
            found = partition(part, self._partition(), rng)
            work.group[block] = work.n_groups + found.labels
            work.count(found)
            for name in names:
                values = group_values(
                    part[name],
                    found.labels,
                    how[name],
                    keep_integers=self.keep_integers,
                    weights=None if work.weights is None else work.weights[block],
                )
                work.pieces[name].append((block, values))

    def _weights(self, table: Table) -> NDArray[np.float64] | None:
        name = table.roles.weight
        if not self.weighted or name is None or name in self.columns:
            return None
        return usable_weights(table.frame[name])

    def _partition(self) -> Partition:
        return Partition(
            k=self.k,
            algorithm=self.algorithm,
            standardize=self.standardize,
            distance=self.distance,
            gamma=self.gamma,
            axis=self.axis,
            steps=self.steps,
        )

    def _facts(self, frame: pl.DataFrame, work: _Work) -> dict[str, Any]:
        return {
            "n_groups": work.n_groups,
            "smallest_group": work.smallest,
            "largest_group": work.largest,
            "loss_share": work.lost / work.spread if work.spread > 0 else 0.0,
            "n_missing": {name: frame[name].null_count() for name in self.columns},
            "n_blanked": work.n_blanked,
            "weighted": work.weights is not None,
        }


@dataclass
class _Work:
    """Results of grouping so far."""

    pieces: dict[str, list[tuple[Ints, pl.Series]]]
    weights: NDArray[np.float64] | None
    """Of all records."""
    group: Ints
    """Of each record; −1 for none."""
    may_blank: bool = False
    """Whether rows too few for a group are suppressed, rather than an error."""
    n_groups: int = 0
    smallest: int = 0
    largest: int = 0
    lost: float = 0.0
    """Squared distances of the points from their group centres."""
    spread: float = 0.0
    n_blanked: int = 0

    def count(self, found: Found) -> None:
        """Add a partition to the totals."""
        sizes = np.bincount(found.labels)
        self.n_groups += len(sizes)
        self.smallest = min(self.smallest or int(sizes.min()), int(sizes.min()))
        self.largest = max(self.largest, int(sizes.max()))
        self.lost += found.lost
        self.spread += found.spread


def _split(rows: Ints, labels: Ints) -> list[Ints]:
    """The rows of each label, labels ascending."""
    order = np.argsort(labels, kind="stable")
    _, starts = np.unique(labels[order], return_index=True)
    return np.split(rows[order], starts[1:])


def _same_gaps(frame: pl.DataFrame, rows: Ints) -> list[tuple[list[str], Ints]]:
    """Rows with the same missing cells, and the columns they have."""
    if not any(column.null_count() for column in frame.iter_columns()):
        return [(frame.columns, rows)] if len(rows) else []
    missing = frame.select(pl.all().is_null()).to_numpy()[rows]
    patterns, index = np.unique(missing, axis=0, return_inverse=True)
    return [
        (
            [name for name, gap in zip(frame.columns, pattern, strict=True) if not gap],
            rows[np.flatnonzero(index.ravel() == number)],
        )
        for number, pattern in enumerate(patterns)
    ]


def _column(
    before: pl.Series, pieces: list[tuple[Ints, pl.Series]], aggregation: Aggregation
) -> pl.Series:
    """The pieces in their places; rows in none are missing."""
    if not pieces:
        as_mean = aggregation == "mean" and before.dtype.is_integer()
        empty = pl.Series(before.name, [None] * len(before), dtype=before.dtype)
        return empty.cast(pl.Float64) if as_mean else empty
    if len(pieces) == 1 and len(pieces[0][1]) == len(before):
        return pieces[0][1]
    order = np.concatenate([rows for rows, _ in pieces])
    values = pl.concat([piece for _, piece in pieces])
    source = np.full(len(before), -1, dtype=np.int64)
    source[order] = np.arange(len(order))
    where = pl.Series(source)
    return values.gather(where.set(where < 0, None)).alias(before.name)
