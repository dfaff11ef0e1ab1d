"""The door: pandas, Polars and Arrow frames in as Polars, the same kind out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import polars as pl

from microveil.errors import ColumnError, InputError
from microveil.tables.arrow_door import ArrowDoor
from microveil.tables.arrow_package import need_arrow
from microveil.tables.cells import needs_tidying, tidy_cells
from microveil.tables.kinds import is_nested
from microveil.tables.pandas_door import PandasDoor, distinct_names
from microveil.tables.vectors import frame_to_vector, is_vector, vector_to_frame
from microveil.texts import phrase

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def to_polars(frame: Any) -> pl.DataFrame:
    """Any data frame as an eager Polars frame; NaN and empty text become missing, −0.0 becomes 0.0.

    >>> to_polars({"x": [1.0, float("nan")]})["x"].null_count()
    1
    """
    return Door(frame).frame


def as_given(frame: Any) -> pl.DataFrame:
    """Any data frame as an eager Polars frame, its cells as they are.

    >>> as_given({"s": ["", None]})["s"].to_list()
    ['', None]
    """
    return _plain_names(_read(frame)[0])


def is_spark_frame(data: Any) -> bool:
    """Whether data are a Spark frame, without loading Spark."""
    return type(data).__module__.startswith("pyspark.sql") and hasattr(data, "mapInArrow")


class Door:
    """Remembers which kind of frame came in, and returns the same kind.

    A column that no step has changed is returned as the very column that came in, so that its
    dtype, categories and NaNs survive. The exception is columns with empty text or −0.0, which
    become missing and 0.0.
    """

    def __init__(self, native: Any, name: str | None = None) -> None:
        """Read the frame, or a single column under a name; nothing of it is changed."""
        self.vector = native if is_vector(native) else None
        native = native if self.vector is None else vector_to_frame(native, name)
        self.native = native
        read, self._side = _read(native)
        read = _nan_to_null(_plain_names(read))
        self._mended = [name for name in read.columns if needs_tidying(read[name])]
        self.frame = tidy_cells(read, self._mended)

    def back(
        self,
        frame: pl.DataFrame,
        rows: NDArray[np.int64] | None = None,
        *,
        keep_index: bool = True,
    ) -> Any:
        """The result as the kind of frame that came in.

        ``rows`` are the positions of the result's rows in what came in. A pandas index follows
        its rows when ``keep_index``, else the result is numbered anew. A single column comes back
        as one.
        """
        made = self._back(frame, rows, keep_index=keep_index)
        return made if self.vector is None else frame_to_vector(made, self.vector)

    def _back(
        self, frame: pl.DataFrame, rows: NDArray[np.int64] | None, *, keep_index: bool
    ) -> Any:
        if self._side is None:
            if isinstance(self.native, dict | pl.DataFrame | pl.LazyFrame):
                return frame.lazy() if isinstance(self.native, pl.LazyFrame) else frame
            import narwhals as nw

            need_arrow()
            namespace = nw.get_native_namespace(nw.from_native(self.native))
            return nw.from_arrow(frame.to_arrow(), backend=namespace).to_native()
        same = {name for name in frame.columns if self._is_unchanged(frame, name, rows)}
        if isinstance(self._side, PandasDoor):
            return self._side.back(frame, rows, same, keep_index=keep_index)
        return self._side.back(frame, rows, same)

    def _is_unchanged(self, frame: pl.DataFrame, name: str, rows: NDArray[np.int64] | None) -> bool:
        if name not in self.frame.columns or name in self._mended:
            return False
        before, after = self.frame[name], frame[name]
        if before.dtype != after.dtype:
            return False
        if rows is None:
            return len(before) == len(after) and before.equals(after)
        return before[rows].equals(after)


def _read(native: Any) -> tuple[pl.DataFrame, PandasDoor | ArrowDoor | None]:
    """The frame as Polars, and the door that turns results into its kind, if it needs one."""
    if isinstance(native, pl.DataFrame):
        return native, None
    if isinstance(native, pl.LazyFrame):
        return native.collect(), None
    from narwhals import dependencies as kinds

    side: PandasDoor | ArrowDoor
    if kinds.is_pandas_dataframe(native):
        side = PandasDoor(native)
    elif kinds.is_pyarrow_table(native):
        distinct_names(native.column_names)
        side = ArrowDoor(native)
    else:
        return _read_other(native), None
    return side.read(), side


def _read_other(native: Any) -> pl.DataFrame:
    """Plain dicts, and any other eager frame that narwhals supports."""
    if isinstance(native, dict):
        return _read_dict(native)
    import narwhals as nw

    try:
        frame: pl.DataFrame = nw.from_native(native, eager_only=True).to_polars()
    except TypeError:
        raise InputError(
            "A data frame or a column is needed (pandas, Polars, Arrow or a NumPy vector), "
            "not {kind}. Read a file with microveil.read(path) first.",
            kind=type(native).__name__,
        ) from None
    return frame


def _read_dict(native: dict[Any, Any]) -> pl.DataFrame:
    """A plain dict of columns; Polars' own messages may quote cells."""
    try:
        return pl.DataFrame(native)
    except (pl.exceptions.PolarsError, TypeError, ValueError, OverflowError):
        mixed = [str(name) for name, cells in native.items() if not _is_column(cells)]
        what = (
            phrase("Column {mixed:quoted} mixes types of values", mixed=mixed)
            if mixed
            else phrase("The columns do not fit")
        )
        raise ColumnError("{what}: give all columns one type and one length.", what=what) from None


def _is_column(cells: Any) -> bool:
    try:
        pl.Series(cells)
    except (pl.exceptions.PolarsError, TypeError, ValueError, OverflowError):
        return False
    return True


def _plain_names(frame: pl.DataFrame) -> pl.DataFrame:
    """Refuse names that Polars would read as a pattern for several columns."""
    patterns = [name for name in frame.columns if name == "*" or re.fullmatch(r"\^.*\$", name)]
    if patterns:
        raise ColumnError(
            "Column {patterns:quoted}: a name that is '*' or runs from '^' to '$' is read as "
            "a pattern here. Rename the column.",
            patterns=patterns,
        )
    return frame


def _nan_to_null(frame: pl.DataFrame) -> pl.DataFrame:
    """One meaning of missing: NaN in the input becomes null."""
    floats = [
        name
        for name, dtype in frame.schema.items()
        if dtype.is_float() and frame[name].is_nan().any()
    ]
    return frame.with_columns(pl.col(floats).fill_nan(None)) if floats else frame


def refuse_nested(frame: pl.DataFrame, columns: list[str] | tuple[str, ...], what: str) -> None:
    """Raise an error if a column holds lists, structs or objects that ``what`` cannot use."""
    nested = [name for name in columns if is_nested(frame[name].dtype)]
    if nested:
        raise ColumnError(
            "{what} cannot use column {nested:quoted}: its cells hold nested values. Turn "
            "them into text or numbers, or drop the column.",
            what=what,
            nested=nested,
        )
