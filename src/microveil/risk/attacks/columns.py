"""Columns of the original, the release and the control made comparable."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.labels.chances import Cover, Labels, NumberLabels, TextLabels
from microveil.labels.covering import covering
from microveil.tables.codes import encode
from microveil.tables.kinds import refuse_unwritable
from microveil.tables.values import as_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from microveil.hierarchies import Hierarchy
    from microveil.tables import Table

CodeArray = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Column:
    """One column of the original, the release and the control.

    Numbers and dates are ``ordered``; other types are categories. Labels in the release are read
    (:mod:`microveil.labels.chances`) as the original values they stand for.
    """

    name: str
    ordered: bool
    original: pl.Series
    released: pl.Series
    control: pl.Series
    """Empty without a control."""

    link: NDArray[np.int64] | None = None
    """Original row behind each released row, if known."""
    tree: Hierarchy | None = None
    """How values were generalised, if known."""
    labelled: bool = False
    """Whether the release shows labels instead of values."""

    @cached_property
    def _known(self) -> pl.Series:
        """The original's values followed by the control's."""
        return pl.concat([self.original, self.control])

    @cached_property
    def values(self) -> pl.Series:
        """Distinct values of the original and the control, ascending."""
        return self._known.drop_nulls().unique().sort()

    @cached_property
    def label_texts(self) -> pl.Series:
        """Distinct labels of the release, ascending."""
        return self.released.drop_nulls().unique().sort()

    @cached_property
    def labels(self) -> Labels | None:
        """The values that the release's labels stand for; None if it shows values."""
        if not self.labelled:
            return None
        found = covering(
            self._known.alias(self.name),
            self.released.alias(self.name),
            paired=None if self.link is None else self.original.gather(self.link),
            hierarchy=self.tree,
            strangers=True,
            at_their_word=True,
        )
        places = positions(found.labels.values, self.label_texts).astype(np.int64)
        cover = Cover.of(found, places)
        if self.ordered:
            return NumberLabels.of(self.label_texts, self.values, cover)
        return TextLabels.of(len(self.label_texts), cover)

    @cached_property
    def codes(self) -> tuple[CodeArray, CodeArray, CodeArray]:
        """Original, release and control as whole numbers, ascending with the values; −1 missing.

        In a labelled release, codes number its labels; elsewhere equal values have equal codes.
        """
        if self.labelled:
            return (
                positions(self.original, self.values),
                positions(self.released, self.label_texts),
                positions(self.control, self.values),
            )
        both = pl.concat([self._known, self.released])
        if self.ordered:
            codes = (both.rank("dense").cast(pl.Int64) - 1).fill_null(-1).to_numpy()
        else:
            codes = encode(both).values
            codes = np.where(both.is_null().to_numpy(), -1, codes)
        codes = codes.astype(np.int32)
        n, m = len(self.original), len(self._known)
        return codes[:n], codes[m:], codes[n:m]

    @cached_property
    def numbers(self) -> tuple[NDArray[np.float64], ...]:
        """Original, release and control as numbers; nan missing.

        An infinite number becomes the outermost finite one.
        """
        sides = (self.original, self.released, self.control)
        every = [side.cast(pl.Float64).fill_null(np.nan).to_numpy() for side in sides]
        low, high = _finite_range(np.concatenate(every))
        return tuple(np.clip(side, low, high) for side in every)

    @cached_property
    def scale(self) -> float:
        """Weight of a difference of 1, such that the whole range counts 1."""
        low, high = _finite_range(np.concatenate(self.numbers))
        width = high - low
        return 1.0 / width if np.isfinite(width) and width > 0 else 1.0

    def without_release(self) -> Column:
        """The original and the control only, as values."""
        return Column(self.name, self.ordered, self.original, self.original.clear(), self.control)


def _finite_range(numbers: NDArray[np.float64]) -> tuple[float, float]:
    finite = numbers[np.isfinite(numbers)]
    return (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 0.0)


def positions(series: pl.Series, among: pl.Series) -> CodeArray:
    """Position of each value in a sorted column of distinct values; −1 if missing or absent."""
    known = pl.DataFrame({"value": among}).with_row_index("place")
    found = pl.DataFrame({"value": series}).join(
        known, on="value", how="left", maintain_order="left"
    )
    return found["place"].cast(pl.Int32).fill_null(-1).to_numpy()


def in_order(columns: Sequence[Column]) -> NDArray[np.int64]:
    """The released records sorted by content: the same however they were shuffled."""
    return np.lexsort([column.codes[1] for column in reversed(columns)])


def read_columns(
    original: Table,
    released: Table,
    control: Table | None,
    names: Sequence[str],
    *,
    linked: bool = True,
    hierarchies: Mapping[str, Hierarchy] | None = None,
) -> list[Column]:
    """The named columns of all tables, each converted to one type.

    ``linked`` says whether rows may show which value a label replaced.
    """
    link = _row_link(original, released) if linked else None
    trees = hierarchies or {}
    return [
        _read(
            name,
            original.frame[name],
            released.frame[name],
            original.frame[name].clear() if control is None else control.frame[name],
            link,
            trees.get(name),
        )
        for name in names
    ]


def read_column(original: pl.Series, released: pl.Series) -> Column:
    """One column of both tables; labels are read by their text, not from paired rows."""
    return _read(original.name, original, released, original.clear(), None)


def _row_link(original: Table, released: Table) -> NDArray[np.int64] | None:
    if released.synthetic:
        return None
    if released.rows is not None:
        return released.rows
    same = original.height == released.height
    return np.arange(original.height) if same else None


def _read(
    name: str,
    original: pl.Series,
    released: pl.Series,
    control: pl.Series,
    link: NDArray[np.int64] | None,
    tree: Hierarchy | None = None,
) -> Column:
    before, after, held_out = original.dtype, released.dtype, control.dtype
    sides = (original, released, control)
    if _all_of((before, after, held_out), "number"):
        kind = pl.Int64 if all(_fits(dtype) for dtype in (before, after, held_out)) else pl.Float64
        return Column(name, True, *_three(side.cast(kind) for side in sides))
    if _all_of((before, after, held_out), "moment"):
        return Column(name, True, *_three(_moments(side) for side in sides))
    if _all_of((before, held_out), "number") and before != pl.Null:
        kind = pl.Int64 if all(_fits(dtype) for dtype in (before, held_out)) else pl.Float64
        numbers = [side.cast(kind) for side in (original, control)]
        return Column(
            name, True, numbers[0], as_text(released), numbers[1], link, tree, labelled=True
        )
    texts = _three(as_text(side).cast(pl.String) for side in sides)
    unknown = ~texts[1].drop_nulls().unique().is_in(pl.concat([texts[0], texts[2]]).implode())
    return Column(name, False, *texts, link, tree, labelled=bool(unknown.any()))


def _three(sides: Iterable[pl.Series]) -> tuple[pl.Series, pl.Series, pl.Series]:
    original, released, control = sides
    return original, released, control


def _fits(dtype: pl.DataType) -> bool:
    return dtype == pl.Null or (dtype.is_integer() and dtype not in (pl.UInt64, pl.Int128))


def _all_of(dtypes: Sequence[pl.DataType], kind: str) -> bool:
    """Whether all are numbers, or all dates or times of one type; an untyped column passes."""
    known = [dtype for dtype in dtypes if dtype != pl.Null]
    if kind == "number":
        return all(dtype.is_numeric() for dtype in known)
    days = all(dtype in (pl.Date, pl.Datetime) for dtype in known)
    return days or (all(dtype.is_temporal() for dtype in known) and len(set(known)) == 1)


def _moments(series: pl.Series) -> pl.Series:
    """Dates and times as whole numbers in one unit."""
    refuse_unwritable(series)
    if series.dtype == pl.Date:
        series = series.cast(pl.Datetime("us"))
    elif isinstance(series.dtype, pl.Datetime):
        series = series.dt.replace_time_zone(None).cast(pl.Datetime("us"))
    return series.to_physical().cast(pl.Int64)
