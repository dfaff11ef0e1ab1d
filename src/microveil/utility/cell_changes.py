"""Share of cells that a release changed, suppressed or left out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal

import polars as pl

from microveil.measures.base import UtilityMeasure
from microveil.pairs.alignment import align, common_columns
from microveil.scores import Score
from microveil.utility.parts.shares import share

if TYPE_CHECKING:
    from microveil.tables import Table


class CellChanges(UtilityMeasure):
    """Share of the original's cells that the release does not show unchanged.

    A cell is *changed* if its value differs, *suppressed* if it is now missing, and *removed* with
    its row or column. Values are compared as text, so 30 and "30" are equal. ``parts`` breaks the
    share down and gives the unchanged share of each column.

    >>> CellChanges().measure({"a": ["x", "y"]}, {"a": ["x", None]}).value
    0.5
    """

    question: ClassVar[str] = "How much is as it was?"
    title: ClassVar[str] = "Cells that changed"
    headline: ClassVar[bool] = True
    name: Literal["cell_changes"] = "cell_changes"
    compares_cells: ClassVar[bool] = True
    needs_alignment: ClassVar[bool] = True

    def score(self, original: Table, released: Table) -> Score:
        """Compare cell by cell; a row missing from the release is lost completely."""
        same_rows = align(original, released)
        columns = common_columns(original, released)
        changed = suppressed = 0
        kept: dict[str, float] = {}
        for name in columns:
            before, after = same_rows.frame[name], released.frame[name]
            blank = int((after.is_null() & before.is_not_null()).sum())
            other = int(_differs(before, after).sum()) - blank
            changed, suppressed = changed + other, suppressed + blank
            kept[name] = 1 - share(original.height - len(after) + blank + other, original.height)
        cells = original.height * len(original.columns)
        gone = cells - released.height * len(columns)
        parts: dict[str, Any] = {
            "changed_share": share(changed, cells),
            "suppressed_share": share(suppressed, cells),
            "removed_share": share(gone, cells),
            "n_columns_removed": len(original.columns) - len(columns),
            "n_rows_removed": original.height - released.height,
            "kept": kept,
        }
        value = share(changed + suppressed + gone, cells)
        return Score(measure=self.kind(), value=value, parts=parts)


def _differs(before: pl.Series, after: pl.Series) -> pl.Series:
    """Where two columns differ; 30, 30.0 and "30" are the same value."""
    if before.dtype != after.dtype and before.dtype.is_numeric() and after.dtype.is_numeric():
        return before.cast(pl.Float64).ne_missing(after.cast(pl.Float64))
    if before.dtype != after.dtype:
        before, after = _as_text(before), _as_text(after)
    return before.ne_missing(after)


def _as_text(column: pl.Series) -> pl.Series:
    if column.dtype == pl.Duration:
        return column.dt.to_string()
    if column.dtype.is_nested() or column.dtype == pl.Object:
        return pl.Series([None if cell is None else str(cell) for cell in column], dtype=pl.String)
    return column.cast(pl.String)
