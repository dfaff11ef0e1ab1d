"""Values that a format cannot hold, or holds otherwise: reported by column, never by cell."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import polars as pl

from microveil.errors import FileError
from microveil.files.formats import Format


@contextmanager
def naming_unfit_columns(frame: pl.DataFrame, known: Format) -> Iterator[None]:
    """Name the column that a format cannot hold; Polars' own message may quote cells."""
    try:
        yield
    except _unwritable_errors():
        raise FileError(
            "{title} cannot hold column {unfit:quoted}: some of its values are beyond its "
            "range. Round or drop them, or write Parquet or CSV.",
            title=known.title,
            unfit=_unfit(frame, known),
        ) from None


def _unwritable_errors() -> tuple[type[Exception], ...]:
    """The errors that Polars raises, and Arrow if it is in use."""
    arrow = sys.modules.get("pyarrow")
    others = () if arrow is None else (arrow.ArrowException,)
    return (pl.exceptions.PolarsError, OverflowError, *others)


def _unfit(frame: pl.DataFrame, known: Format) -> list[str]:
    """The columns that cannot be stored by themselves; all columns if there is no such one."""
    unfit = []
    for name in frame.columns:
        try:
            known.to_stored(frame.select(name))
        except pl.exceptions.PolarsError:
            unfit.append(name)
    return unfit or frame.columns


class Changes:
    """What a format makes of the cells it is given: counted by column, told in sentences.

    >>> from microveil.files.formats import BY_NAME
    >>> changes, frame = Changes(BY_NAME["parquet"]), pl.DataFrame({"x": [1.5, float("nan")]})
    >>> changes.add(frame, frame.fill_nan(None))
    >>> changes.sentences()
    ("Column 'x': 1 cell that is not a number (NaN) became missing.",)
    """

    def __init__(self, known: Format) -> None:
        """Nothing was written yet."""
        self._known = known
        self._cells: dict[tuple[str, str], int] = {}
        self._columns: dict[tuple[str, str], None] = {}

    def add(self, before: pl.DataFrame, written: pl.DataFrame) -> None:
        """Note what becomes of further rows: as they were given, and as they are written."""
        names = [
            (old, new)
            for old, new in zip(before.columns, written.columns, strict=True)
            if _may_change(before[old].dtype)
        ]
        after = self._known.to_stored(written.select(new for _, new in names))
        counts: Counter[tuple[str, str]] = Counter()
        for old, new in names:
            held = _held_as(before[old].dtype, after[new].dtype)
            if held:
                self._columns[old, held] = None
            for what, n_cells in self._counts(before[old], written[new], after[new]):
                counts[old, what] += n_cells
        for key, n_cells in counts.items():
            self._cells[key] = self._cells.get(key, 0) + n_cells

    def sentences(self) -> tuple[str, ...]:
        """What was changed, column by column."""
        told = [
            f"Column '{name}': {n} {'cell' if n == 1 else 'cells'} {what.format(*_words(n))}."
            for (name, what), n in self._cells.items()
            if n
        ]
        return (*told, *(f"Column '{name}' is held {how}." for name, how in self._columns))

    def _counts(
        self, before: pl.Series, written: pl.Series, after: pl.Series
    ) -> Iterator[tuple[str, int]]:
        if before.dtype.is_float():
            yield "that {0} not a number (NaN) became missing", int(before.is_nan().sum() or 0)
        most = self._known.longest_whole
        if before.dtype.is_integer() and most is not None:
            far = ~before.cast(pl.Float64).is_between(-most, most, closed="none")
            yield f"of more than {len(str(most - 1))} digits {{1}} text", int(far.sum() or 0)
        if after.dtype == pl.String and before.dtype in (pl.String, pl.Categorical, pl.Enum):
            # An apostrophe against formulas is told elsewhere.
            texts = written.cast(pl.String)
            gone = after.is_null() & texts.is_not_null()
            yield "without text became missing", int(gone.sum())
            yield "lost the blanks at the end", int((texts != after).fill_null(False).sum())
        elif before.dtype.is_temporal() and after.dtype.is_temporal():
            yield "finer than the format keeps {2} cut", _n_finer(before, after)


def _may_change(dtype: pl.DataType) -> bool:
    """Whether some format holds columns of a type otherwise."""
    texts = dtype in (pl.String, pl.Categorical, pl.Enum, pl.Boolean)
    return texts or dtype.is_temporal() or dtype.is_numeric()


def _words(n_cells: int) -> tuple[str, str, str]:
    return ("is", "became", "was") if n_cells == 1 else ("are", "became", "were")


def _held_as(before: pl.DataType, after: pl.DataType) -> str | None:
    """How a type is held that a format lacks; None if it is held as such."""
    if before.base_type() == after.base_type():
        zones = getattr(before, "time_zone", None), getattr(after, "time_zone", None)
        return None if zones[0] == zones[1] else "in UTC, without its time zone"
    if before.is_decimal() and after.is_float():
        return "as floating-point numbers"
    if before == pl.Boolean:
        return "as 0 and 1" if after.is_numeric() else "as text"
    if before.is_temporal():
        return "as seconds" if after.is_numeric() else "as text"
    return "as text" if before.is_numeric() and after == pl.String else None


def _n_finer(before: pl.Series, after: pl.Series) -> int:
    """Cells whose fractions of a second the format does not keep."""
    unit = getattr(before.dtype, "time_unit", None)
    if before.dtype == pl.Date or after.dtype.base_type() != before.dtype.base_type():
        return 0
    kept = after.dt.cast_time_unit(unit) if unit else after
    return int((before.to_physical() != kept.to_physical()).fill_null(False).sum())
