"""Columns of the original, the release and the control made comparable."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from microveil.arrays import Floats, Ints, Longs
from microveil.labels.chances import Cover, Labels, NumberLabels, TextLabels
from microveil.labels.covering import Runs
from microveil.labels.reading import Counted, read_labels
from microveil.labels.recoding import ByHierarchy, Followed, Recoder, follow
from microveil.pairs.column_types import sides_of, written_values
from microveil.pairs.numbers import settle_infinite
from microveil.tables.codes import encode
from microveil.tables.kinds import numbers_of
from microveil.tables.values import as_text, positions_among

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from microveil.hierarchies import HierarchyBuilder
    from microveil.tables import Table


@dataclass(frozen=True, eq=False)
class Column:
    """One column of the original, the release and the control, with its labels read.

    Numbers and dates are ``ordered``; other types are categories. A released label is read
    (:mod:`microveil.labels.reading`) as the original values it stands for. Labels that cannot be
    told from values, such as 40 for 40 to 49, are found by ``recoders``: what the steps made of the
    values.
    """

    name: str
    ordered: bool
    original: pl.Series
    released: pl.Series
    control: pl.Series
    """Empty without a control."""

    given: tuple[pl.Series, pl.Series]
    """The original and the control as they were, before they were brought to one type."""
    link: Longs | None = None
    """Original row behind each released row, if known."""
    recoders: tuple[Recoder, ...] = ()
    """Steps or hierarchies that may have recoded the column, in their order."""
    labelled: bool = False
    """Whether the release shows labels instead of values."""

    @cached_property
    def _known(self) -> pl.Series:
        """The original's values followed by the control's."""
        return pl.concat([self.original, self.control])

    @cached_property
    def written(self) -> pl.Series:
        """The values as they were, in the order of ``values``; hierarchies are built on them."""
        return written_values(*self.given, self._known)

    @cached_property
    def values(self) -> pl.Series:
        """Distinct values of the original and the control, ascending."""
        return self._known.drop_nulls().unique().sort()

    @cached_property
    def counts(self) -> Longs:
        """Number of originals with each of the values."""
        codes = positions_among(self.original, self.values)
        return np.bincount(codes[codes >= 0], minlength=len(self.values))

    @cached_property
    def followed(self) -> Followed:
        """What the values may have become by the steps, and the tree above them."""
        return follow(self.recoders, self.name, self.written, self.counts)

    @cached_property
    def label_texts(self) -> pl.Series:
        """Distinct labels of the release, ascending."""
        return self.released.drop_nulls().unique().sort()

    @cached_property
    def label_counts(self) -> Longs:
        """Number of released records with each of the labels."""
        codes = positions_among(self.released, self.label_texts)
        return np.bincount(codes[codes >= 0], minlength=len(self.label_texts))

    @cached_property
    def cover(self) -> Cover:
        """The values that each label stands for, by what the tables contain; some for none."""
        return read_labels(
            Counted(self.written, self.counts),
            Counted(as_text(self.label_texts), self.label_counts),
            self.followed.levels,
        )

    @cached_property
    def labels(self) -> Labels | None:
        """The values that the release's labels stand for; None if it shows values.

        A label that cannot be read stands for the values it was seen to replace, where rows are
        linked.
        """
        if not self.labelled:
            return None
        cover = self.explained
        if self.ordered:
            return NumberLabels.of(as_text(self.label_texts), self.values, cover)
        return TextLabels.of(len(self.label_texts), cover)

    @cached_property
    def explained(self) -> Cover:
        """The values of each label; if it cannot be read, those it was seen to replace."""
        return self._with_seen(self.cover)

    def _with_seen(self, cover: Cover) -> Cover:
        unread = np.ones(len(self.label_texts), dtype=np.bool_)
        unread[cover.label] = False
        if self.ordered:
            unread &= as_text(self.label_texts).cast(pl.Float64, strict=False).is_null().to_numpy()
        seen = self._seen if unread.any() else None
        if seen is None:
            return cover
        runs = Runs(len(unread))
        runs.add(cover.label, cover.low, cover.high)
        runs.done[~unread] = True
        runs.add_members(seen.label, seen.value)
        return Cover(cover.n_values, *runs.in_label_order())

    @cached_property
    def label_order(self) -> Longs:
        """Place of each label in an order by what it stands for, whatever its text."""
        n_labels, cover = len(self.label_texts), self.explained
        first = np.full(n_labels, cover.n_values, dtype=np.int64)
        np.minimum.at(first, cover.label, cover.low)
        last, size = np.zeros(n_labels, dtype=np.int64), np.zeros(n_labels, dtype=np.int64)
        np.maximum.at(last, cover.label, cover.high)
        np.add.at(size, cover.label, cover.high - cover.low)
        place = np.empty(n_labels, dtype=np.int64)
        place[np.lexsort((size, last, first))] = np.arange(n_labels)
        return place

    @cached_property
    def chances(self) -> Floats:
        """Share of the originals that each label leaves possible; 0 if it covers none."""
        total = np.append(0, np.cumsum(self.counts))
        found = np.bincount(
            self.cover.label,
            weights=total[self.cover.high] - total[self.cover.low],
            minlength=len(self.label_texts),
        )
        return np.asarray(found / max(int(total[-1]), 1), dtype=np.float64)

    @cached_property
    def _seen(self) -> _Seen | None:
        """What paired rows show: each value with each label it became."""
        if self.link is None:
            return None
        value = positions_among(self.original, self.values)[self.link].astype(np.int64)
        label = positions_among(self.released, self.label_texts).astype(np.int64)
        there = (value >= 0) & (label >= 0)
        n_labels = len(self.label_texts) + 1
        packed = np.unique(value[there] * n_labels + label[there])
        return _Seen(*np.divmod(packed, n_labels))

    @cached_property
    def codes(self) -> tuple[Ints, Ints, Ints]:
        """Original, release and control as whole numbers, ascending with the values; −1 missing.

        In a labelled release, codes number its labels; elsewhere equal values have equal codes.
        """
        if self.labelled:
            return (
                positions_among(self.original, self.values),
                positions_among(self.released, self.label_texts),
                positions_among(self.control, self.values),
            )
        both = pl.concat([self._known, self.released])
        if self.ordered:
            codes = (both.rank("dense").cast(pl.Int64) - 1).fill_null(-1).to_numpy()
        else:
            codes = np.where(both.is_null().to_numpy(), -1, _by_value(both))
        codes = codes.astype(np.int32)
        n, m = len(self.original), len(self._known)
        return codes[:n], codes[m:], codes[n:m]

    @cached_property
    def numbers(self) -> tuple[Floats, ...]:
        """Original, release and control as numbers; nan missing.

        Infinite numbers lie a whole range beyond the finite ones.
        """
        return settle_infinite(*self._raw)

    @cached_property
    def _raw(self) -> tuple[Floats, ...]:
        sides = (self.original, self.released, self.control)
        return tuple(numbers_of(side) for side in sides)

    @cached_property
    def scale(self) -> float:
        """Weight of a difference of 1, such that the whole range counts 1."""
        low, high = _finite_range(np.concatenate(self._raw))
        width = high - low
        return 1.0 / width if np.isfinite(width) and width > 0 else 1.0

    def without_release(self) -> Column:
        """The original and the control only, as values."""
        return Column(
            self.name,
            self.ordered,
            self.original,
            self.original.clear(),
            self.control,
            self.given,
        )


def _by_value(texts: pl.Series) -> Longs:
    """Codes of texts that ascend with the texts, in whatever order these stand."""
    codes = encode(texts).values
    first = np.zeros(int(codes.max(initial=-1)) + 1, dtype=np.int64)
    first[codes[::-1]] = np.arange(len(codes))[::-1]
    place = np.empty(len(first), dtype=np.int64)
    place[texts.gather(pl.Series(first)).arg_sort().to_numpy()] = np.arange(len(first))
    return place[codes]


def _finite_range(numbers: Floats) -> tuple[float, float]:
    finite = numbers[np.isfinite(numbers)]
    return (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 0.0)


def in_order(columns: Sequence[Column]) -> Longs:
    """The released records sorted by content: the same however they were shuffled."""
    return np.lexsort([released_places(column) for column in reversed(columns)])


def released_places(column: Column) -> Ints:
    """The code of each released cell, of labels by what they stand for; −1 missing."""
    codes = column.codes[1]
    if not column.labelled:
        return codes
    return np.append(column.label_order, -1)[codes].astype(np.int32)


def read_columns(
    original: Table,
    released: Table,
    control: Table | None,
    names: Sequence[str],
    *,
    linked: bool = True,
    hierarchies: Mapping[str, HierarchyBuilder] | None = None,
) -> list[Column]:
    """The named columns of all tables, each converted to one type.

    ``linked`` says whether rows may show which value a label replaced.
    """
    link = row_link(original, released) if linked else None
    trees = hierarchies or {}
    return [
        column_of(
            original.frame[name],
            released.frame[name],
            None if control is None else control.frame[name],
            link,
            (ByHierarchy(trees[name]),) if name in trees else (),
        )
        for name in names
    ]


def read_column(original: pl.Series, released: pl.Series) -> Column:
    """One column of both tables; labels are read by their text, not from paired rows."""
    return column_of(original, released)


def row_link(original: Table, released: Table) -> Longs | None:
    """Original row behind each released row; None if the tables do not tell."""
    if released.synthetic:
        return None
    if released.rows is not None:
        return released.rows
    same = original.height == released.height
    return np.arange(original.height) if same else None


def column_of(
    original: pl.Series,
    released: pl.Series,
    control: pl.Series | None = None,
    link: Longs | None = None,
    recoders: Sequence[Recoder] = (),
    within: AbstractContextManager[None] | None = None,
) -> Column:
    """A column of all tables, converted to one type.

    ``within`` is entered where hierarchies are built, for those in files.
    """
    held_out = original.clear() if control is None else control
    sides = sides_of(original, released, held_out)
    made = Column(
        original.name,
        sides.ordered,
        sides.original,
        sides.released,
        sides.control,
        (original, held_out),
        link,
        tuple(recoders),
        labelled=sides.labelled,
    )
    if not recoders:
        return made
    with within or nullcontext():
        _ = made.followed  # labels are made while files are where they should be
    return made if sides.labelled or not _is_recoded(made) else _with_labels(made)


class _Seen(NamedTuple):
    """Each value with each label it became, as positions, without repetition."""

    value: Longs
    label: Longs


def _is_recoded(column: Column) -> bool:
    """Whether a release that seems to show values shows labels of the steps."""
    if not column.followed.levels:
        return False
    cover = _with_labels(column).cover
    texts = as_text(column.written)
    same = np.bincount(cover.label, minlength=len(column.label_texts)) == 1
    single = same.all() and bool((cover.high - cover.low == 1).all())
    if single and len(cover.low) == len(column.label_texts):
        return not as_text(column.label_texts).equals(texts.gather(cover.low), check_names=False)
    strangers = np.setdiff1d(np.arange(len(column.label_texts)), cover.label)
    # Numbers that no step can have made were changed afterwards: they are compared as numbers.
    return len(strangers) == 0


def _with_labels(column: Column) -> Column:
    """The same column with its released values taken as labels."""
    shown = as_text(_as_written(column)).cast(pl.String)
    made = replace(column, released=shown, labelled=True)
    made.__dict__["followed"] = column.followed
    return made


def _as_written(column: Column) -> pl.Series:
    """Released moments as dates again, so that their text is that of the steps."""
    kind = column.given[0].dtype
    if kind.is_temporal() and column.released.dtype == pl.Int64:
        if kind == pl.Date or isinstance(kind, pl.Datetime):
            return column.released.cast(pl.Datetime("us"))
        return column.released.cast(kind)
    return column.released
