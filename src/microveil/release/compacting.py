"""Compact copies: frames that hold nothing but what they show.

A frame is a view of buffers. A suppressed cell may still be in one, a removed row in another, the
name of a removed category in a dictionary; anyone who gets the frame, or a pickle of it, gets them
too. Frames are therefore rebuilt from the released cells before they are handed out.
"""

from __future__ import annotations

from io import BytesIO
from typing import Any

import numpy as np
import polars as pl
from narwhals import dependencies as kinds

from microveil.files.reading_back import without_categories
from microveil.tables.arrow_package import need_arrow


def compact(frame: pl.DataFrame) -> pl.DataFrame:
    """The same cells in new buffers, with only the categories that occur."""
    return pl.DataFrame([_compact(column) for column in frame.get_columns()])


def forget_categories(frame: pl.DataFrame) -> pl.DataFrame:
    """The same cells, with only the categories that occur, including in lists.

    Sufficient for a file: writers drop what a frame does not show, but not its categories.
    """
    return frame.with_columns(
        _compact(column)
        for column in frame.get_columns()
        if column.dtype in (pl.Categorical, pl.Enum) or column.dtype.is_nested()
    )


def compact_native(frame: Any) -> Any:
    """A pandas, Arrow or Polars frame that holds nothing but the cells it shows."""
    if isinstance(frame, pl.LazyFrame):
        return compact(frame.collect()).lazy()
    if isinstance(frame, pl.DataFrame):
        return compact(frame)
    if kinds.is_pyarrow_table(frame):
        return _compact_arrow_table(frame)
    if kinds.is_pandas_dataframe(frame):
        return _compact_pandas(frame)
    return frame


def _compact(column: pl.Series) -> pl.Series:
    dtype = column.dtype
    if isinstance(dtype, pl.Enum):
        texts = column.cast(pl.String)
        there = set(texts.drop_nulls().unique())
        kept = [category for category in dtype.categories if category in there]
        return _compact(texts).cast(pl.Enum(kept))
    if dtype == pl.Categorical:
        return _compact(column.cast(pl.String)).cast(pl.Categorical())
    if dtype in (pl.Object, pl.Null, pl.Int128, pl.UInt128):
        return pl.Series(column.name, column.to_list(), dtype=dtype)
    if dtype.is_nested():
        return pl.Series(column.name, column.to_list(), dtype=without_categories(dtype))
    if dtype.is_decimal():
        return pl.Series(column.name, column.to_list(), dtype=dtype)
    alone = _rewrite_text(column) if dtype in (pl.String, pl.Binary) else _copy_numbers(column)
    if column.null_count():
        shown = pl.when(column.is_not_null()).then(alone)
        alone = pl.select(shown.alias(column.name)).to_series()
    return alone.cast(dtype)


def _copy_numbers(column: pl.Series) -> pl.Series:
    """Numbers, dates and the like in a buffer of their own, with zeros where cells are missing."""
    plain = column.to_physical()
    zero = pl.lit(0).cast(plain.dtype)
    filled = pl.select(pl.lit(plain).fill_null(zero)).to_series() if plain.null_count() else plain
    return pl.Series(column.name, filled.to_numpy().copy(), dtype=plain.dtype)


def _rewrite_text(column: pl.Series) -> pl.Series:
    """Text written out and read again: buffers with these cells alone, empty where missing."""
    empty = pl.lit("").cast(column.dtype)
    filled = pl.select(pl.lit(column).fill_null(empty)).to_series().alias(column.name)
    written = BytesIO()
    # The older layout has no views of shared buffers: the bytes of each cell are copied.
    filled.to_frame().write_ipc(written, compat_level=pl.CompatLevel.oldest())
    written.seek(0)
    return pl.read_ipc(written).to_series()


def _compact_arrow_table(table: Any) -> Any:
    pa = need_arrow()
    columns = [_compact_arrow(table.column(name)) for name in table.column_names]
    return pa.table(columns, names=table.column_names)


def _compact_arrow(array: Any) -> Any:
    """An Arrow array rebuilt from the valid cells alone."""
    pa = need_arrow()
    if isinstance(array, pa.ChunkedArray):
        array = array.combine_chunks()
        if isinstance(array, pa.ChunkedArray):  # newer versions keep an empty one this way
            array = pa.concat_arrays(array.chunks) if array.num_chunks else pa.array([], array.type)
    if pa.types.is_dictionary(array.type):
        return _compact_arrow(array.dictionary_decode()).dictionary_encode().cast(array.type)
    if pa.types.is_nested(array.type):
        return pa.array(array.to_pylist(), type=array.type)
    cells = array.drop_null()
    alone = cells.take(pa.array(np.arange(len(cells))))
    if not array.null_count:
        return alone
    missing = np.asarray(array.is_null())
    return alone.take(pa.array(np.cumsum(~missing) - 1, mask=missing))


def _compact_pandas(frame: Any) -> Any:
    import pandas as pd

    columns = {label: _compact_series(frame[label]) for label in frame.columns}
    result = pd.DataFrame(columns, index=frame.index)
    result.columns.name = frame.columns.name
    return result


def _compact_series(column: Any) -> Any:
    import pandas as pd

    if isinstance(column.dtype, pd.CategoricalDtype):
        return column.cat.remove_unused_categories()
    cells = column.array
    arrow = getattr(cells, "_pa_array", None)
    if arrow is not None:
        return pd.Series(type(cells)(_as_chunked(_compact_arrow(arrow))), index=column.index)
    hidden, mask = getattr(cells, "_data", None), getattr(cells, "_mask", None)
    if mask is not None and isinstance(hidden, np.ndarray):
        shown = hidden.copy()
        shown[mask] = np.zeros(1, dtype=hidden.dtype)[0]
        return pd.Series(type(cells)(shown, mask.copy()), index=column.index)
    return column.copy()


def _as_chunked(array: Any) -> Any:
    pa = need_arrow()
    return pa.chunked_array([array])
