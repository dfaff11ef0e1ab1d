"""Records of two tables as points under Gower's distance, ready for the kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from microveil.arrays import Floats, Longs
    from microveil.kernels.neighbours.gower_neighbours import Candidates, Queries
    from microveil.pairs.columns import Column

Side = Literal["original", "released", "control"]
SIDES: tuple[Side, ...] = ("original", "released", "control")
TABLE_CELLS = 20_000_000
"""Value-to-label distances held at a time."""


class Space:
    """Queries from one table among candidates from another, by some columns."""

    def __init__(self, columns: Sequence[Column], asking: Side, searched: Side) -> None:
        """Sort the columns by how they are compared."""
        self.asking, self.searched = SIDES.index(asking), SIDES.index(searched)
        across = (asking == "released") != (searched == "released")
        self._labelled = [column for column in columns if column.labelled and across]
        plain = [column for column in columns if not (column.labelled and across)]
        ordered = [_values(column) for column in plain if column.ordered]
        self._numbers = [column.numbers for column in ordered]
        self._scales = np.array([column.scale for column in ordered])
        self._codes = [column.codes for column in plain if not column.ordered]

    def candidates(self) -> Candidates:
        """All records of the table that is searched."""
        from microveil.kernels.neighbours.gower_neighbours import Candidates

        side = self.searched
        labels = [column.codes[side] for column in self._labelled]
        # The last column of a distance table is for a missing label.
        labels = [
            np.where(codes < 0, width - 1, codes)
            for codes, width in zip(labels, self._widths(), strict=True)
        ]
        n = self._height(side)
        return Candidates(
            _stacked_numbers([numbers[side] for numbers in self._numbers], n),
            self._scales,
            _stacked_codes([codes[side] for codes in self._codes], n),
            _stacked_codes(labels, n),
        )

    def queries(self, rows: Longs) -> Iterator[tuple[Longs, Queries]]:
        """Querying records at some rows, in chunks whose distance tables fit, with positions."""
        from microveil.kernels.neighbours.gower_neighbours import Queries

        side = self.asking
        size = self._chunk(rows)
        for start in range(0, len(rows), size):
            part = rows[start : start + size]
            where, tables = self._tables(part)
            yield (
                np.arange(start, start + len(part)),
                Queries(
                    _stacked_numbers([n[side][part] for n in self._numbers], len(part)).T.copy(),
                    _stacked_codes([c[side][part] for c in self._codes], len(part)).T.copy(),
                    where,
                    tables,
                ),
            )

    def nearest(
        self, rows: Longs, skip: Longs | None = None, among: Longs | None = None
    ) -> tuple[Floats, Floats, Longs]:
        """Distances to the nearest and second nearest candidate, and the number of nearest ones.

        ``skip`` is a candidate that each query leaves out; with ``among``, only these rows are
        candidates, and ``skip`` is a position among them.
        """
        from microveil.kernels.neighbours.gower_neighbours import nearest

        first, second = np.empty(len(rows)), np.empty(len(rows))
        ties = np.empty(len(rows), dtype=np.int64)
        left_out = np.full(len(rows), -1, dtype=np.int64) if skip is None else skip
        candidates = self.candidates()
        if among is not None:
            candidates = candidates.take(among)
        for place, queries in self.queries(rows):
            found = nearest(queries, candidates, left_out[place])
            first[place], second[place], ties[place] = found
        return first, second, ties

    def _height(self, side: int) -> int:
        if self._numbers:
            return len(self._numbers[0][side])
        codes = [*self._codes, *(column.codes for column in self._labelled)]
        return len(codes[0][side])

    def _chunk(self, rows: Longs) -> int:
        """Number of queries whose distance tables fit: equal queries share a row of them."""
        asked = [column.codes[self.asking][rows] for column in self._labelled]
        widths = self._widths()
        cells = sum(
            len(np.unique(codes)) * width for codes, width in zip(asked, widths, strict=True)
        )
        if cells <= TABLE_CELLS:
            return max(len(rows), 1)
        return max(1, TABLE_CELLS // max(sum(widths), 1))

    def _widths(self) -> list[int]:
        """Columns of each distance table: the possible candidates, and missing."""
        return [_n_codes(column, released=self.searched == 1) + 1 for column in self._labelled]

    def _tables(self, rows: Longs) -> tuple[Longs, Floats]:
        """Start of each query's distances, and the distances."""
        where = np.zeros((len(rows), len(self._labelled)), dtype=np.int64)
        tables = [np.zeros(0)]
        offset = 0
        for j, column in enumerate(self._labelled):
            codes = column.codes[self.asking][rows]
            table, row = distance_table(column, codes, of_labels=self.asking == 1)
            where[:, j] = offset + row * table.shape[1]
            offset += table.size
            tables.append(table.ravel())
        return where, np.concatenate(tables)


def distance_table(
    column: Column, codes: NDArray[np.int32], *, of_labels: bool
) -> tuple[Floats, Longs]:
    """Distances from the queries' values to all possible candidates, and each query's row.

    The last column is for a missing candidate: the maximum distance, except from a missing query.
    """
    distinct, row = np.unique(codes, return_inverse=True)
    there = distinct[distinct >= 0].astype(np.int64)
    labels = column.labels
    if labels is None:
        raise TypeError(f"The release has no labels in column '{column.name}'.")
    if of_labels:
        inner = labels.only(there).distances(np.arange(len(column.values))).T
    else:
        inner = labels.distances(there)
    n_missing = len(distinct) - len(there)
    table = np.empty((len(distinct), inner.shape[1] + 1))
    table[n_missing:, :-1] = inner
    table[n_missing:, -1] = 1.0
    table[:n_missing, :-1], table[:n_missing, -1] = 1.0, 0.0
    return table, row


def _n_codes(column: Column, *, released: bool) -> int:
    return len(column.label_texts) if released else len(column.values)


def _values(column: Column) -> Column:
    """A column's values; if the release has labels, only those of the other tables."""
    return column.without_release() if column.labelled else column


def _stacked_numbers(columns: Sequence[Floats], n: int) -> Floats:
    return np.array(columns, dtype=np.float64).reshape(len(columns), n)


def _stacked_codes(columns: Sequence[NDArray[np.int32]], n: int) -> NDArray[np.int32]:
    return np.array(columns, dtype=np.int32).reshape(len(columns), n)
