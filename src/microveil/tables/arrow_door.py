"""Conversion of Arrow tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from microveil.errors import ColumnError
from microveil.tables.arrow_package import need_arrow

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class ArrowDoor:
    """One Arrow table: its columns as Polars, and results as Arrow of the same types."""

    def __init__(self, native: Any) -> None:
        """Keep the table."""
        self.native = native

    def read(self) -> pl.DataFrame:
        """The columns as Polars, converted one by one so that an error can name the column."""
        columns = []
        for name in self.native.column_names:
            try:
                columns.append(pl.Series(name, self.native.column(name)))
            except (pl.exceptions.PolarsError, TypeError, ValueError, NotImplementedError):
                kind = self.native.schema.field(name).type
                raise ColumnError(
                    "Column '{name}' has an Arrow type that cannot be used ({kind}).",
                    name=name,
                    kind=kind,
                ) from None
        return pl.DataFrame(columns)

    def back(self, frame: pl.DataFrame, rows: NDArray[np.int64] | None, same: set[str]) -> Any:
        """The result as Arrow; columns in ``same`` are taken from the original."""
        pa = need_arrow()
        columns = []
        for name in frame.columns:
            if name in same:
                column = self.native.column(name)
                columns.append(column if rows is None else _take(column, rows))
            else:
                columns.append(self._as_arrow(frame[name]))
        return pa.table(columns, names=frame.columns)

    def _as_arrow(self, series: pl.Series) -> Any:
        """A Polars column in its previous Arrow type if that still fits."""
        pa = need_arrow()
        column = pa.chunked_array([series.to_arrow()])
        names = self.native.column_names
        old = self.native.schema.field(series.name).type if series.name in names else None
        text = (pa.large_string(), pa.string_view())
        wanted = old if old is not None else (pa.string() if column.type in text else column.type)
        if wanted == column.type:
            return column
        try:
            return column.cast(wanted)
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
            return column.cast(pa.string()) if column.type in text else column


def _take(column: Any, rows: NDArray[np.int64]) -> Any:
    """The rows of a column; a dictionary drops values that no row has any more."""
    pa = need_arrow()
    kept = column.take(pa.array(rows))
    if not pa.types.is_dictionary(column.type):
        return kept
    plain = kept.cast(column.type.value_type)
    return plain.dictionary_encode().cast(pa.dictionary(pa.int32(), column.type.value_type))
