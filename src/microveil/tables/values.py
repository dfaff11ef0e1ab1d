"""Looking up a column's values in a hierarchy: by meaning, not by spelling."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from microveil.errors import HierarchyError
from microveil.tables.codes import encode
from microveil.tables.door import refuse_nested
from microveil.tables.kinds import refuse_unwritable
from microveil.texts import phrase

if TYPE_CHECKING:
    from numpy.typing import NDArray

TABLE_LIMIT = 65_536
"""A lookup table of this many cells always pays off, whatever the number of records."""

DATE_T = r"^(\d{4}-\d{2}-\d{2})T"
MIDNIGHT = r" 00:00(:00(\.0+)?)?$"
TRAILING_ZEROS = r"(\.\d*?)0+$"


class Distinct(NamedTuple):
    """The distinct values of a column, and which of them each record has."""

    name: str
    values: pl.Series
    """Each value once, in no particular order, without missing ones."""
    of_record: NDArray[np.uint32]
    """Position in ``values`` for each record; ``len(values)`` if the value is missing."""
    n_missing: int

    @classmethod
    def of(cls, series: pl.Series) -> Distinct:
        """Find the distinct values of a column.

        Whole numbers, dates and text take one pass over a lookup table, other types a hash join.

        >>> Distinct.of(pl.Series(["b", None, "a", "b"])).values.sort().to_list()
        ['a', 'b']
        """
        refuse_nested(series.to_frame(), [series.name], phrase("Generalising"))
        dtype = series.dtype
        if not (dtype.is_float() or dtype.is_decimal() or dtype in (pl.UInt64, pl.Int128)):
            codes = encode(series)
            if codes.radix <= max(4 * len(series), TABLE_LIMIT):
                return cls._by_table(series, codes.values, codes.radix)
        return cls._by_join(series)

    @classmethod
    def _by_table(cls, series: pl.Series, codes: NDArray[np.int64], radix: int) -> Distinct:
        example = np.full(radix, -1, dtype=np.int64)
        example[codes] = np.arange(len(series))
        missing = series.is_null().to_numpy() if series.null_count() else None
        if missing is not None:
            example[codes[int(missing.argmax())]] = -1
        there = np.flatnonzero(example >= 0)
        number = np.full(radix, len(there), dtype=np.uint32)
        number[there] = np.arange(len(there), dtype=np.uint32)
        return cls(series.name, series[example[there]], number[codes], series.null_count())

    @classmethod
    def _by_join(cls, series: pl.Series) -> Distinct:
        values = series.drop_nulls().unique().sort()
        numbered = pl.DataFrame({"value": values}).with_row_index("number")
        found = (
            series.alias("value")
            .to_frame()
            .join(numbered, on="value", how="left", maintain_order="left")
        )
        number = found["number"].fill_null(len(values)).cast(pl.UInt32).to_numpy()
        return cls(series.name, values, number, series.null_count())

    def records_of(self, chosen: NDArray[np.bool_]) -> int:
        """Number of records with one of the chosen values."""
        counts = np.bincount(self.of_record, minlength=len(self.values) + 1)
        return int(counts[:-1][chosen].sum())

    def spread(self, per_value: pl.Series) -> pl.Series:
        """One entry per distinct value expanded to the records; missing stays missing."""
        # Polars gathers several times faster from a column without missing cells.
        source = per_value.extend_constant(None, 1) if self.n_missing else per_value
        return source.gather(pl.Series(self.of_record)).alias(self.name)


def rows_of(values: pl.Series, leaves: pl.Series) -> NDArray[np.int32]:
    """Position of each value among the leaves; −1 if it is not there.

    The number 34 matches the text ``34``, 34.0 matches ``34``, a date matches its ISO text.

    >>> rows_of(pl.Series([34.0, 35.5]), pl.Series(["33", "34"])).tolist()
    [1, -1]
    """
    left, right = _comparable(values, leaves)
    known = right.drop_nulls()
    doubled = len(known) - known.n_unique()
    if doubled:
        raise HierarchyError(
            "{doubled} values of the hierarchy for column '{name}' mean the same as another "
            "when read as {dtype}. Keep one line for each.",
            doubled=doubled,
            name=values.name,
            dtype=values.dtype,
        )
    return positions_among(left, right)


def positions_among(values: pl.Series, among: pl.Series) -> NDArray[np.int32]:
    """Position of each value in a column of distinct values; −1 if missing or absent.

    >>> positions_among(pl.Series(["b", None, "z"]), pl.Series(["a", "b"])).tolist()
    [1, -1, -1]
    """
    wanted = pl.DataFrame({"value": values})
    known = pl.DataFrame({"value": among}).with_row_index("place").drop_nulls()
    on = ["value"]
    if values.dtype.is_float():
        # Polars merges one sorted column with another, and takes no NaN for another then.
        on.append("nan")
        wanted, known = (
            one.with_columns(pl.col("value").is_nan().alias("nan")) for one in (wanted, known)
        )
    found = wanted.join(known, on=on, how="left", maintain_order="left")
    return found["place"].cast(pl.Int32).fill_null(-1).to_numpy()


def plain(series: pl.Series) -> pl.Series:
    """Categories and bytes as the text they stand for; other types unchanged.

    Bytes that are not UTF-8 text become hexadecimal digits, as does the rest of their column.
    """
    if isinstance(series.dtype, pl.Categorical | pl.Enum):
        return series.cast(pl.String)
    if series.dtype != pl.Binary:
        return series
    try:
        return series.cast(pl.String)
    except pl.exceptions.ComputeError:  # raised even by a cast that is not strict
        return series.bin.encode("hex")


def as_text(series: pl.Series) -> pl.Series:
    """Values in the spelling used in hierarchy files.

    Whole floats lose their ``.0``, dates are ISO, a time of midnight is omitted.

    >>> as_text(pl.Series([34.0, 0.5])).to_list()
    ['34', '0.5']
    """
    series = plain(series)
    dtype = series.dtype
    if dtype == pl.String:
        return series
    refuse_unwritable(series)
    if isinstance(dtype, pl.Datetime):
        moments = series.dt.replace_time_zone(None).dt.to_string("%Y-%m-%d %H:%M:%S%.f")
        return _iso(moments)
    if dtype == pl.Duration:
        return series.dt.to_string("iso")
    text = series.cast(pl.String)
    if dtype.is_float() or dtype.is_decimal():
        return text.str.replace(TRAILING_ZEROS, "$1").str.strip_suffix(".")
    return text


def _comparable(values: pl.Series, leaves: pl.Series) -> tuple[pl.Series, pl.Series]:
    values, leaves = plain(values), plain(leaves)
    ours, theirs = values.dtype, leaves.dtype
    if ours == theirs:
        return values, leaves
    if ours.is_numeric() and theirs == pl.String:
        leaves = leaves.str.strip_chars()
    if ours.is_numeric() and (theirs.is_numeric() or theirs == pl.String):
        if ours.is_integer() and (theirs.is_integer() or theirs == pl.String):
            return values.cast(pl.Int64, strict=False), _whole_numbers(leaves)
        number = pl.Float32 if ours == pl.Float32 else pl.Float64
        return values.cast(number), leaves.cast(number, strict=False)
    text = as_text(leaves)
    if ours == pl.Boolean:
        text = text.str.to_lowercase()
    return as_text(values), _iso(text) if ours.is_temporal() else text


def _whole_numbers(leaves: pl.Series) -> pl.Series:
    """Text or numbers as whole numbers, null if they are not; ``34.0`` is one."""
    exact = leaves.cast(pl.Int64, strict=False)
    if leaves.dtype != pl.String:
        return exact
    rough = leaves.cast(pl.Float64, strict=False)
    whole = rough.is_finite() & (rough == rough.floor())
    keep = exact.is_not_null() | ~whole.fill_null(False)
    return exact.zip_with(keep, rough.cast(pl.Int64, strict=False))


def _iso(text: pl.Series) -> pl.Series:
    """ISO dates and times in one spelling."""
    return text.str.replace(DATE_T, "$1 ").str.replace(MIDNIGHT, "").str.replace(r"\.0+$", "")


def categories(column: pl.Series) -> list[tuple[str, int]]:
    """Every value as text with its count, the commonest first."""
    distinct = column.drop_nulls().alias("value").value_counts()
    # Writing is slower than counting, so each value is written once, not once per record.
    written = distinct.with_columns(as_text(distinct["value"]).cast(pl.String))
    counted = written.group_by("value").agg(pl.col("count").sum())
    counted = counted.sort(["count", "value"], descending=[True, False])
    return [(str(value), int(count)) for value, count in counted.iter_rows()]
