"""Single columns at the door: a Series, an Arrow array or a NumPy vector as a frame of one."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from microveil.tables.arrow_package import need_arrow

UNNAMED = "x"
"""What the column of a vector is called that has no name of its own."""


def is_vector(data: Any) -> bool:
    """Whether something is one column rather than a table.

    >>> is_vector(np.array([1, 2])), is_vector({"x": [1, 2]})
    (True, False)
    """
    if isinstance(data, np.ndarray):
        return data.ndim == 1
    from narwhals import dependencies as kinds

    return (
        isinstance(data, pl.Series)
        or kinds.is_pandas_series(data)
        or kinds.is_pyarrow_chunked_array(data)
        or _is_arrow_array(data)
    )


def vector_name(data: Any, fallback: str = UNNAMED) -> str:
    """The name of a column; the fallback where it has none."""
    name = getattr(data, "name", None)
    return fallback if name is None or name == "" else str(name)


def vector_to_frame(data: Any, name: str | None = None) -> Any:
    """A vector as a frame of one column, of the library it came from."""
    name = vector_name(data) if name is None else name
    if isinstance(data, pl.Series):
        return data.to_frame(name)
    from narwhals import dependencies as kinds

    if kinds.is_pandas_series(data):
        return data.to_frame(name)
    if isinstance(data, np.ndarray):
        return _of_numpy(data, name)
    return need_arrow().table([data], names=[name])


def frame_to_vector(frame: Any, like: Any) -> Any:
    """The column of a frame of one, as the kind of vector that came in, under its old name."""
    if isinstance(like, pl.Series):
        return frame.to_series(0).alias(like.name)
    from narwhals import dependencies as kinds

    if kinds.is_pandas_series(like):
        return frame.iloc[:, 0].rename(like.name)
    if isinstance(like, np.ndarray):
        return _to_numpy(frame.to_series(0))
    column = frame.column(0)
    return column if kinds.is_pyarrow_chunked_array(like) else column.combine_chunks()


def one_name(first: Any, second: Any) -> tuple[Any, Any]:
    """Two vectors as frames whose column has one name: that of the first, whatever the second's.

    >>> [frame.columns for frame in one_name(pl.Series("pay", [1]), np.array([2]))]
    [['pay'], ['pay']]
    """
    if not (is_vector(first) and is_vector(second)):
        return first, second
    name = vector_name(first, vector_name(second))
    return vector_to_frame(first, name), vector_to_frame(second, name)


def _of_numpy(data: Any, name: str) -> Any:
    """Strings and objects by their cells, so that None and NaN are missing; others as they are."""
    if isinstance(data, np.ma.MaskedArray):
        plain = data.tolist()
        return {name: plain}
    if data.dtype.kind in "OUS":
        cells = [None if cell is None or cell != cell else cell for cell in data.tolist()]  # noqa: PLR0124  NaN alone differs from itself
        return {name: cells}
    return pl.DataFrame({name: data})


def _to_numpy(series: pl.Series) -> Any:
    """Numbers with NaN for missing cells; text and other kinds as objects."""
    if series.dtype == pl.String or series.dtype.base_type() in (pl.Categorical, pl.Enum):
        return np.array(series.cast(pl.String).to_list(), dtype=object)
    return series.to_numpy(writable=True)


def _is_arrow_array(data: Any) -> bool:
    import sys

    arrow = sys.modules.get("pyarrow")
    return arrow is not None and isinstance(data, arrow.Array)
