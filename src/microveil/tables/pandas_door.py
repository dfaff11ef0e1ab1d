"""Conversion of pandas frames, column by column so that an error can name the column."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from microveil.errors import ColumnError, quote
from microveil.tables.arrow_package import need_arrow

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np
    from numpy.typing import NDArray


class PandasDoor:
    """One pandas frame: its columns as Polars, and results as pandas of the same backend."""

    def __init__(self, native: Any) -> None:
        """Keep the frame; its labels become text, and must stay distinct."""
        self.native = native
        self.labels = {str(label): label for label in native.columns}
        distinct_names(str(label) for label in native.columns)

    def read(self) -> pl.DataFrame:
        """The columns as Polars, without the index."""
        return pl.DataFrame(
            [_read_column(name, self.native[label]) for name, label in self.labels.items()]
        )

    def back(
        self,
        frame: pl.DataFrame,
        rows: NDArray[np.int64] | None,
        same: set[str],
        *,
        keep_index: bool,
    ) -> Any:
        """The result as pandas; columns in ``same`` are taken from the original."""
        import pandas as pd

        index = self.native.index if rows is None else self.native.index[rows]
        if not keep_index or len(index) != frame.height:
            index = pd.RangeIndex(frame.height)
        columns = {}
        for name in frame.columns:
            label = self.labels.get(name, name)
            if name in same:
                column = self.native[label]
                kept = column if rows is None else _without_lost_categories(column, rows)
                columns[label] = kept.set_axis(index)
            else:
                like = self.native[label].dtype if name in self.labels else self._usual_dtype()
                columns[label] = _as_pandas(frame[name], like).set_axis(index)
        result = pd.DataFrame(columns, index=index)
        result.columns.name = self.native.columns.name
        return result

    def _usual_dtype(self) -> Any:
        """The dtype of a new column: the first column's backend."""
        return self.native.dtypes.iloc[0] if len(self.native.columns) else None


def distinct_names(names: Iterable[str]) -> None:
    """Raise an error if two columns share a name."""
    seen: set[str] = set()
    doubled = [name for name in names if name in seen or seen.add(name)]  # type: ignore[func-returns-value]
    if doubled:
        names = quote(dict.fromkeys(doubled))
        raise ColumnError(
            "The data have more than one column named {names}. Rename or drop the others.",
            names=names,
        )


def _read_column(name: str, column: Any) -> pl.Series:
    """One pandas column; types that Arrow cannot represent are refused without quoting a cell."""
    import pandas as pd

    pa = need_arrow()
    dtype = column.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        return _read_categories(name, column)
    if isinstance(dtype, pd.PeriodDtype | pd.IntervalDtype):
        return _read_spans(name, column)
    if isinstance(dtype, pd.SparseDtype):
        column = column.sparse.to_dense()
    try:
        return pl.Series(name, pa.array(column, from_pandas=True))
    except (
        pa.ArrowException,
        pl.exceptions.PolarsError,
        TypeError,
        ValueError,
        NotImplementedError,
    ):
        raise ColumnError(
            "Column '{name}' (pandas dtype {dtype}) mixes types of values or has a type that "
            "cannot be used. Convert it to text, numbers or dates first.",
            name=name,
            dtype=dtype,
        ) from None


def _read_spans(name: str, column: Any) -> pl.Series:
    """Periods and intervals as text, such as ``2020-01`` and ``(0, 10]``."""
    known = column.notna().to_list()
    texts = [str(cell) if there else None for cell, there in zip(column, known, strict=True)]
    return pl.Series(name, texts, dtype=pl.String)


def _read_categories(name: str, column: Any) -> pl.Series:
    """Ordered text categories keep their order; categories of other types become plain values.

    Periods and intervals, as ``pandas.cut`` makes them, are such text.
    """
    import pandas as pd

    if isinstance(column.cat.categories.dtype, pd.PeriodDtype | pd.IntervalDtype):
        column = column.cat.rename_categories(column.cat.categories.astype(str))
    categories = column.cat.categories
    if not all(isinstance(category, str) for category in categories):
        return _read_column(name, column.astype(categories.dtype))
    values = column.astype(object).where(column.notna(), None).tolist()
    dtype = pl.Enum(categories.tolist()) if column.cat.ordered else pl.Categorical()
    return pl.Series(name, values, dtype=pl.String).cast(dtype)


def _as_pandas(series: pl.Series, like: Any) -> Any:
    """A Polars column in the backend of ``like``: Arrow, nullable or NumPy."""
    import pandas as pd

    if isinstance(like, pd.ArrowDtype):
        return pd.Series(series.to_pandas(use_pyarrow_extension_array=True), name=series.name)
    nullable = isinstance(like, pd.api.extensions.ExtensionDtype) and hasattr(like, "na_value")
    if nullable and like.na_value is pd.NA:
        arrow = series.to_pandas(use_pyarrow_extension_array=True)
        return arrow.convert_dtypes(dtype_backend="numpy_nullable")
    if isinstance(like, pd.CategoricalDtype) and series.dtype.base_type() in (
        pl.String,
        pl.Categorical,
        pl.Enum,
    ):
        return series.cast(pl.String).to_pandas().astype(_categories(series, like))
    return series.to_pandas()


def _categories(series: pl.Series, like: Any) -> Any:
    """The old categories that still occur, in their order, and any new ones."""
    import pandas as pd

    occurring = set(series.drop_nulls().cast(pl.String).unique())
    known = [str(category) for category in like.categories]
    if not occurring.issubset(known):
        return pd.CategoricalDtype(sorted(occurring))
    return pd.CategoricalDtype([one for one in known if one in occurring], ordered=like.ordered)


def _without_lost_categories(column: Any, rows: NDArray[np.int64]) -> Any:
    """The rows of a column; a category is dropped with its last row."""
    import pandas as pd

    kept = column.take(rows)
    if not isinstance(column.dtype, pd.CategoricalDtype):
        return kept
    lost = set(column.cat.codes.unique()) - set(kept.cat.codes.unique()) - {-1}
    return kept.cat.remove_categories([column.cat.categories[code] for code in sorted(lost)])
