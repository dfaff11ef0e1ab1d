"""Key separation: how well each set of columns distinguishes records."""

from __future__ import annotations

from itertools import accumulate
from math import comb
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias

import numpy as np
import polars as pl
from pydantic import Field

from microveil.errors import InputError
from microveil.measures.base import RiskMeasure
from microveil.progress import Progress, silent
from microveil.risk.population.uniques.distinct_rows import (
    DistinctRows,
    distinct_rows,
    searched_columns,
)
from microveil.risk.population.uniques.people_sets import (
    PeopleCounts,
    as_arrays,
    bits_of,
    count_people,
    count_people_by_sets,
    sets_of,
)
from microveil.scores import Score
from microveil.tables import Roles, Table, as_table
from microveil.tables.roles import Columns
from microveil.texts import phrase

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_SETS = 1 << 18
"""Largest number of column sets: all sets of 17 columns."""
TRILLION = 10**12
Sets: TypeAlias = "dict[str, NDArray[np.int64]]"
"""Counts of sets of columns, by what they count."""


class KeySeparation(RiskMeasure):
    """Share of record pairs that the quasi-identifiers distinguish, for each set of them.

    For every set of up to ``max_size`` columns: its *distinction* (distinct combinations over
    records), its *separation* (share of record pairs that differ on it; Motwani & Xu 2007) and the
    share of unique records. ``value`` is the separation of all columns together. ``frames`` has
    ``sets``, the best separating first, and ``identifying_sets``, the smallest sets on which at
    least ``identifying_share`` of the records are unique. A missing cell is a value of its own.
    With an entity, a person counts once for each combination they have, pairs are of different
    people, and a record is unique if nobody else has its values.

    In the worst case, time grows with distinct rows × sets; all 1,023 sets of ten columns of
    100,000 records take about a second. More than 262,144 sets are refused.

    >>> people = {"sex": ["f", "f", "m", "m"], "town": ["A", "A", "A", "B"]}
    >>> score = KeySeparation(columns=["sex", "town"]).measure(people)
    >>> for names, separation in score.frames["sets"].select("columns", "separation").rows():
    ...     print(names, round(separation, 3))
    ['sex', 'town'] 0.833
    ['sex'] 0.667
    ['town'] 0.5
    """

    question: ClassVar[str] = "Can somebody be singled out?"
    title: ClassVar[str] = "Pairs of records told apart"
    name: Literal["key_separation"] = "key_separation"
    by_scenario: ClassVar[bool] = True
    known_field: ClassVar[str] = "columns"
    most_cells: ClassVar[int | None] = 5_000_000
    counts_classes: ClassVar[bool] = True
    columns: Columns = ()
    """Columns to combine; by default the quasi-identifiers."""
    max_size: int | None = Field(default=None, ge=1)
    """Largest number of columns in a set; by default all."""
    identifying_share: float = Field(default=1.0, gt=0, le=1)
    """Share of unique records at which a set counts as identifying."""

    def score(self, original: Table | None, table: Table) -> Score:  # noqa: ARG002  one table is enough
        """Count every set."""
        columns = searched_columns(table, self.columns, self.kind())
        sets, every = self._all_counted(table, columns, silent)
        named = _sets_frame(sets, columns)
        single = named.filter(pl.col("size") == 1)
        identifying = named.filter(pl.Series(self._identifying(sets)))
        n_alike, n_pairs = np.array([every.n_alike]), np.array([every.n_pairs])
        return Score(
            measure=self.kind(),
            value=float(_separation(n_alike, n_pairs, every.n_records)[0]),
            parts={
                "n_sets": len(sets["bits"]),
                "distinction": every.n_classes / max(every.n_records, 1),
                "unique_share": every.n_unique / max(every.n_records, 1),
                "n_identifying_sets": identifying.height,
                "columns": {
                    str(names[0]): separation
                    for names, separation in single.select("columns", "separation").iter_rows()
                },
            },
            frames={
                "sets": named.sort(
                    "separation", "size", descending=[True, False], maintain_order=True
                ),
                "identifying_sets": identifying.sort("size", maintain_order=True),
            },
        )

    def sets(
        self, data: Any, *, roles: Roles | None = None, progress: Progress = silent
    ) -> pl.DataFrame:
        """The frame ``sets`` alone, smallest sets first, reporting to ``progress``.

        >>> frame = KeySeparation(columns=["a", "b"]).sets({"a": [1, 1, 2], "b": [1, 2, 2]})
        >>> frame["n_classes"].to_list()
        [2, 2, 3]
        """
        table = as_table(data, roles)
        columns = searched_columns(table, self.columns, self.kind())
        return _sets_frame(self._all_counted(table, columns, progress)[0], columns)

    def _all_counted(
        self, table: Table, columns: tuple[str, ...], progress: Progress
    ) -> tuple[Sets, PeopleCounts]:
        """Counts of every set, and of all columns together, whatever the largest set."""
        by_person = table.people is not None
        rows = distinct_rows(table, columns, by_person=by_person)
        if by_person:
            found = self._people_counted(rows, columns, progress)
            return found, count_people(rows, tuple(range(len(columns))))
        n = table.height
        sets = self._count_sets(rows, columns, progress)
        sets["n_records"] = np.full(len(sets["bits"]), n)
        sets["n_pairs"] = np.full(len(sets["bits"]), n * (n - 1) // 2)
        counts = rows.counts
        every = PeopleCounts(
            n_records=n,
            n_classes=len(counts),
            n_pairs=n * (n - 1) // 2,
            n_alike=int((counts * (counts - 1) // 2).sum()),
            n_unique=int((counts == 1).sum()),
        )
        return sets, every

    def _people_counted(
        self, rows: DistinctRows, columns: tuple[str, ...], progress: Progress
    ) -> Sets:
        """The same counts of people, set by set."""
        m = len(columns)
        max_size = min(self.max_size or m, m)
        n_sets = _check_sets(m, max_size)
        place = [rows.columns.index(name) for name in columns]
        wanted = sorted(sets_of(m, max_size))  # sets that begin alike one after the other
        here = (tuple(place[column] for column in one) for one in wanted)
        found = []
        for n_done, one in enumerate(count_people_by_sets(rows, here), 1):
            found.append(one)
            progress(n_done, n_sets, "counting sets of columns")
        order = sorted(range(n_sets), key=lambda i: (len(wanted[i]), bits_of(wanted[i])))
        wanted, found = [wanted[i] for i in order], [found[i] for i in order]
        bits = np.array([bits_of(one) for one in wanted], dtype=np.int64)
        sizes = np.array([len(one) for one in wanted], dtype=np.int64)
        return {"bits": bits, "size": sizes, **as_arrays(found)}

    def _count_sets(self, rows: DistinctRows, columns: tuple[str, ...], progress: Progress) -> Sets:
        """Bits (by the order of ``columns``), classes, matching pairs and uniques of every set."""
        from microveil.kernels.uniques.set_separation import set_separation

        m = len(columns)
        max_size = min(self.max_size or m, m)
        n_sets = _check_sets(m, max_size)
        parts = []
        n_done = 0
        for part in set_separation(rows.codes, rows.counts, max_size):
            parts.append(part)
            n_done += len(part.sets)
            progress(n_done, n_sets, "counting sets of columns")
        found = np.concatenate([part.sets for part in parts])
        places = [columns.index(name) for name in rows.columns]
        bits = np.zeros_like(found)
        for here, there in enumerate(places):
            bits |= (found >> here & 1) << there
        sizes = np.bitwise_count(bits).astype(np.int64)
        order = np.lexsort((bits, sizes))
        counted = {
            "bits": bits,
            "size": sizes,
            "n_classes": np.concatenate([part.n_classes for part in parts]),
            "n_alike": np.concatenate([part.n_pairs for part in parts]),
            "n_unique": np.concatenate([part.n_unique for part in parts]),
        }
        return {name: values[order] for name, values in counted.items()}

    def _identifying(self, sets: Sets) -> NDArray[np.bool_]:
        """Sets that identify enough records while none of their subsets does."""
        # A small tolerance: 0.7 of ten records is seven.
        enough = sets["n_unique"] >= self.identifying_share * sets["n_records"] - 1e-9
        enough &= sets["n_records"] > 0
        bits = sets["bits"]
        minimal = enough.copy()
        for column in range(int(bits.max(initial=0)).bit_length()):
            has = bits >> column & 1 == 1
            minimal &= ~(has & np.isin(bits ^ 1 << column, bits[enough]))
        return minimal


def _check_sets(m: int, max_size: int) -> int:
    """Number of sets of up to a given size of m columns; an error if there are too many."""
    from microveil.kernels.column_sets import MOST_COLUMNS

    sums = list(accumulate(comb(m, size) for size in range(1, max_size + 1)))
    if m <= MOST_COLUMNS and sums[-1] <= MOST_SETS:
        return sums[-1]
    fitting = sum(total <= MOST_SETS for total in sums) if m <= MOST_COLUMNS else 0
    fewer = phrase("Name fewer `columns`.")
    smaller = phrase("Set `max_size` to {fitting}, or name fewer `columns`.", fitting=fitting)
    total = phrase("{n:,}", n=sums[-1]) if sums[-1] < TRILLION else phrase("over a trillion")
    raise InputError(
        "{m} columns have {total} sets of up to {max_size}; at most {most_sets:,} sets of up "
        "to {most_columns} columns are counted. {remedy}",
        m=m,
        total=total,
        max_size=max_size,
        most_sets=MOST_SETS,
        most_columns=MOST_COLUMNS,
        remedy=smaller if fitting else fewer,
    )


def _separation(
    n_alike: NDArray[np.int64], n_pairs: NDArray[np.int64], n_records: int
) -> NDArray[np.float64]:
    """Share of the pairs that differ; a single record, or a single person, has no pair."""
    if n_records == 0:
        return np.zeros(len(n_alike))
    return np.where(n_pairs > 0, 1 - n_alike / np.maximum(n_pairs, 1), 1.0)


def _sets_frame(sets: Sets, columns: tuple[str, ...]) -> pl.DataFrame:
    """Counts of the sets as shares, with column names."""
    names = [
        [name for place, name in enumerate(columns) if bits >> place & 1]
        for bits in sets["bits"].tolist()
    ]
    whole = np.maximum(sets["n_records"], 1)
    n_records = int(sets["n_records"].max(initial=0))
    return pl.DataFrame(
        {
            "columns": pl.Series(names, dtype=pl.List(pl.String)),
            "size": sets["size"],
            "n_classes": sets["n_classes"],
            "distinction": sets["n_classes"] / whole,
            "separation": _separation(sets["n_alike"], sets["n_pairs"], n_records),
            "unique_share": sets["n_unique"] / whole,
        }
    )
