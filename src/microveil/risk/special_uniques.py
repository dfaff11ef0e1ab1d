"""Special uniques: records that are unique on few columns (SUDA2)."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

import numpy as np
import polars as pl
from pydantic import Field

from microveil.errors import InputError
from microveil.measures.base import RiskMeasure
from microveil.risk.population.uniques.distinct_rows import (
    DistinctRows,
    distinct_rows,
    searched_columns,
)
from microveil.risk.population.uniques.frames import (
    Found,
    column_frame,
    column_size_frame,
    set_frame,
    size_frame,
)
from microveil.risk.population.uniques.suda_scores import Weighting, dis_scores, size_weights
from microveil.scores import Score
from microveil.tables import Classes, Roles, Table, as_table
from microveil.tables.roles import Columns


class SpecialUniques(RiskMeasure):
    """Mean probability that a match on few columns is correct (SUDA2 with DIS scores).

    A *minimal unique* of a record is a set of columns on which no other record has the same values,
    while every subset of it is shared. The more there are, and the smaller they are, the riskier
    the record. Its SUDA score sums (m − s)! over its minimal uniques of s out of m columns, and DIS
    converts scores to probabilities using the number of records in pairs and the sampling share
    (Elliot, Manning & Ford 2002; Elliot & Manning 2003; Manning, Haglin & Keane 2008). Equal to
    sdcMicro's ``suda2``.

    ``records`` has the DIS score of each record, ``value`` is their mean. ``parts`` has the number
    of records with a minimal unique, the number of minimal uniques, the highest DIS and SUDA
    scores, and each column's share of all scores. ``frames`` has ``sizes``, ``columns``,
    ``columns_by_size`` and ``sets``. If the roles name an entity, a record is unique when nobody
    else shares its values.

    In the worst case, time grows with distinct rows × sets of columns; 100,000 × 8 up to 4 columns
    take about a second. Memory holds one bit per row and set.

    >>> people = {"sex": ["f", "f", "m", "m"], "town": ["A", "A", "A", "B"]}
    >>> score = SpecialUniques(columns=["sex", "town"]).measure(people)
    >>> score.records.round(4).tolist()
    [0.0, 0.0, 1.0, 1.0]
    """

    weighs: ClassVar[bool] = True
    question: ClassVar[str] = "Can somebody be singled out?"
    title: ClassVar[str] = "Unique on few columns"
    name: Literal["special_uniques"] = "special_uniques"
    by_scenario: ClassVar[bool] = True
    known_field: ClassVar[str] = "columns"
    most_cells: ClassVar[int | None] = 5_000_000
    counts_classes: ClassVar[bool] = True
    columns: Columns = ()
    """Columns to combine; by default the quasi-identifiers."""
    max_size: int | None = Field(default=None, ge=1)
    """Largest number of columns in a minimal unique; by default all."""
    sampling_share: Annotated[float, Field(gt=0, le=1)] | Literal["weights"] | None = None
    """Share of the population that is in the table; by default people over the sum of the weights,
    and without weights the table is the population (sdcMicro takes 0.01)."""
    weighting: Weighting = "factorial"
    """Weight of a minimal unique of s of m columns: (m − s)!, or (2^(m−s) − 1) / (m choose s)."""
    missing: Literal["category", "wildcard", "ignored"] = "category"
    """Whether a missing cell is a value, matches every value, or is ignored and protects nobody."""

    def score(self, original: Table | None, table: Table) -> Score:  # noqa: ARG002  one table is enough
        """Search, and summarise."""
        found = self._search(table, by_column=False)
        chances = found.chances[found.rows.of_record]
        columns = column_frame(found)
        # Counted by distinct row: there are fewer of them than records.
        n_records = found.rows.counts
        return Score(
            measure=self.kind(),
            value=float(chances.mean()) if len(chances) else 0.0,
            parts={
                "n_unique": int(n_records[found.uniques.by_size.any(axis=1)].sum()),
                "n_minimal_uniques": int(found.uniques.n_records.sum()),
                "highest_dis": float(chances.max(initial=0.0)),
                "highest_suda": float(found.scores.max(initial=0.0)),
                "sampling_share": found.sampling_share,
                "contributions": dict(zip(columns["column"], columns["contribution"], strict=True)),
            },
            records=chances,
            frames={
                "sizes": size_frame(found.uniques.by_size, n_records),
                "columns": columns.sort("contribution", descending=True, maintain_order=True),
                "columns_by_size": column_size_frame(found),
                "sets": set_frame(found),
            },
        )

    def per_record(self, data: Any, *, roles: Roles | None = None) -> pl.DataFrame:
        """One row per record, in order: scores, sizes, and each column's share of the score.

        As confidential as the data: it points to the riskiest records.

        >>> people = {"sex": ["f", "f", "m", "m"], "town": ["A", "A", "A", "B"]}
        >>> frame = SpecialUniques(columns=["sex", "town"]).per_record(people)
        >>> frame["suda_score"].to_list(), frame["smallest_size"].to_list()
        ([0.0, 0.0, 1.0, 1.0], [None, None, 2, 1])
        """
        found = self._search(as_table(data, roles), by_column=True)
        of_record = found.rows.of_record
        by_size = found.uniques.by_size
        n_uniques = by_size.sum(axis=1, dtype=np.int64)
        smallest = pl.Series(((by_size > 0).argmax(axis=1) + 1)[of_record])
        scores = np.where(found.scores > 0, found.scores, np.inf)
        shares = {
            f"{name}_contribution": (
                found.uniques.by_column[:, found.rows.columns.index(name)] / scores
            )[of_record]
            for name in found.columns
        }
        return pl.DataFrame(
            {
                "suda_score": found.scores[of_record],
                "dis_score": found.chances[of_record],
                "n_minimal_uniques": n_uniques[of_record],
                "smallest_size": smallest.set(pl.Series(n_uniques[of_record] == 0), None),
            }
            | shares
        )

    def per_value(self, data: Any, *, roles: Roles | None = None) -> pl.DataFrame:
        """Each value's share of its column's contribution, to show which values to recode.

        As confidential as the data: it shows values, as text.
        """
        table = as_table(data, roles)
        found = self._search(table, by_column=True)
        frame = table.frame[found.rows.examples]
        parts = []
        for name in found.columns:
            weight = found.uniques.by_column[:, found.rows.columns.index(name)] * found.rows.counts
            sums = (
                pl.DataFrame({"value": frame[name], "contribution": weight})
                .group_by("value")
                .agg(pl.col("contribution").sum())
                .sort("value")
            )
            total = float(weight.sum())
            parts.append(
                sums.select(
                    pl.lit(name).alias("column"),
                    _text(sums["value"]),
                    pl.col("contribution") / (total or 1.0),
                )
            )
        return pl.concat(parts)

    def _search(self, table: Table, *, by_column: bool) -> Found:
        from microveil.kernels.column_sets import MOST_COLUMNS
        from microveil.kernels.uniques.minimal_uniques import Rows, minimal_uniques

        columns = searched_columns(table, self.columns, self.kind())
        if len(columns) > MOST_COLUMNS:
            raise InputError(
                "Measure 'special_uniques' combines at most {most_columns} columns, not "
                "{n_columns}. Name fewer `columns`.",
                most_columns=MOST_COLUMNS,
                n_columns=len(columns),
            )
        max_size = min(self.max_size or len(columns), len(columns))
        weights = size_weights(len(columns), max_size, self.weighting)
        share = self._share(table)
        rows = distinct_rows(
            table,
            columns,
            missing_apart=self.missing != "category",
            by_person=True,
        )
        try:
            uniques = minimal_uniques(
                Rows(rows.codes, rows.owners, rows.counts),
                max_size,
                wildcard=self.missing == "wildcard",
                weights=weights if by_column else None,
            )
        except MemoryError:
            raise InputError(
                "Sets of up to {max_size} of {n_columns} columns are too many for "
                "{n_counts:,} distinct rows. Lower `max_size` (3 or 4 is usually enough), or "
                "name fewer `columns`.",
                max_size=max_size,
                n_columns=len(columns),
                n_counts=len(rows.counts),
            ) from None
        scores = uniques.by_size @ weights
        chances = dis_scores(scores, len(columns), _n_paired(table, rows), share)
        return Found(columns, rows, uniques, weights, scores, chances, share)

    def _share(self, table: Table) -> float:
        if isinstance(self.sampling_share, float):
            return self.sampling_share
        if table.roles.weight is None:
            if self.sampling_share is None:
                return 1.0
            raise InputError(
                "`sampling_share: weights` needs a weight column. Name one in the roles, or give "
                "the share."
            )
        everybody = Classes.of(table, ())
        n, n_people = int(everybody.counts.sum()), everybody.n_people
        if self.sampling_share == "weights" and n and not n_people >= n:
            raise InputError(
                "The weights sum to less than the {n:,} records, so they are not sampling "
                "weights. Give `sampling_share` as a number.",
                n=n,
            )
        return n / n_people if 0 < n < n_people else 1.0


def _text(values: pl.Series) -> pl.Series:
    if values.dtype == pl.Binary:
        return values.bin.encode("hex")
    if values.dtype == pl.Duration:
        return values.dt.to_string()
    return values.cast(pl.String)


def _n_paired(table: Table, rows: DistinctRows) -> int:
    """Records equal to exactly one other; with an entity, people who share a row with one other."""
    counts = rows.counts
    if table.people is not None:  # each row is there once for each person who has it
        counts = np.unique(rows.codes, axis=1, return_counts=True)[1]
    return 2 * int((counts == 2).sum())  # noqa: PLR2004  a pair is two
