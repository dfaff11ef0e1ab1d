"""Keys for Mondrian: codes in the order of the cuts, and the meaning of each code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.arrays import Floats, Ints
from microveil.errors import ColumnError
from microveil.hierarchies import STAR, Distinct, Hierarchy, HierarchyBuilder, Unlisted
from microveil.methods.parts.value_text import value_text
from microveil.tables.values import as_text, plain

if TYPE_CHECKING:
    from microveil.kernels.mondrian.key_space import KeySpace


FEWEST_NUMBERS = 13
"""Distinct numbers held as text from which they are numbers; fewer are categories."""
GLANCE = 64
"""Rows looked at before all of a column are."""
NUMBER = r"^-?(?:0|[1-9]\d{0,8})(?:\.\d{1,6})?$"
LARGEST = 2**31 - 2
"""Whole numbers further apart than this are numbered by rank."""


@dataclass(frozen=True, eq=False)
class KeyTree:
    """The hierarchy of a key's values; codes of one label are adjacent on every level."""

    first: Ints
    """(levels, values) first code of the label of each code."""
    last: Ints
    share: Floats
    """Share of the hierarchy's values under the label; 0 for a value itself."""
    labels: tuple[pl.Series, ...]
    """Text of the label of each code, by level."""


@dataclass(frozen=True, eq=False)
class Key:
    """The meaning of a key column's codes; −1 is missing."""

    name: str
    n_values: int
    """Codes are below this."""
    ordered: bool
    """Whether values have a natural order: numbers, dates, enumerations."""
    low: int = 0
    """Without a list of values: the number that code 0 represents."""
    dtype: pl.DataType | None = None
    listed: pl.Series | None = None
    """The value of each code; numbers that are close together need no list."""
    place: Floats | None = None
    """Position of each code; by default the code itself."""
    tree: KeyTree | None = None

    def values_of(self, codes: Ints) -> pl.Series:
        """The values that codes represent."""
        if self.listed is not None:
            return self.listed.gather(pl.Series(codes))
        whole = pl.Series(codes.astype(np.int64) + self.low)
        return whole.cast(cast("pl.DataType", self.dtype))

    def kept_whole(self, low: Ints, high: Ints) -> bool:
        """Whether each partition has a single value, which can be published as it is."""
        starred = self.tree is not None and (self.tree.labels[0] == STAR).any()
        return bool((low == high).all()) and not starred

    @property
    def span(self) -> float:
        """The width of all values: of their range, or of their lowest common label."""
        if self.n_values < 2:  # noqa: PLR2004  nothing to tell apart
            return 1.0
        if self.tree is not None:
            level = int((self.tree.first[:, 0] == self.tree.first[:, -1]).argmax())
            return float(self.tree.share[level, 0])
        if self.place is not None:
            return float(self.place[-1] - self.place[0]) or 1.0
        return float(self.n_values - 1)


def key_of(
    series: pl.Series,
    hierarchy: HierarchyBuilder | None,
    unlisted: Unlisted,
    *,
    by_tree: bool,
    category: bool = False,
    counts: NDArray[np.int64] | None = None,
) -> tuple[Key, Ints]:
    """The key of a column and the code of each record.

    Categories are cut along their hierarchy, otherwise in order of frequency (most frequent first).
    Ordered values keep their order, unless ``by_tree`` asks for the hierarchy. Numbers held as text
    are numbers, and numbers that are codes are a ``category``. ``counts`` are the records that each
    value stands for, if the column is one of distinct values.
    """
    if category:
        series = value_text(series)
    elif hierarchy is None:
        series = meant_numbers(series)
    dtype = series.dtype
    ordered = dtype.is_numeric() or dtype.is_temporal() or isinstance(dtype, pl.Enum)
    if series.null_count() == len(series):
        codes = np.full(len(series), -1, dtype=np.int32)
        return Key(series.name, 0, ordered=ordered, listed=series.clear()), codes
    if hierarchy is not None and (by_tree or not ordered):
        return _tree_key(series, hierarchy, unlisted, counts)
    if not ordered:
        return _category_key(series, counts)
    return _ordered_key(series)


def meant_numbers(series: pl.Series) -> pl.Series:
    """A text column as the numbers that it holds; unchanged if it holds anything else.

    Codes with leading zeros are no numbers, and a few distinct ones are categories.

    >>> meant_numbers(pl.Series([str(age) for age in range(20, 60)])).dtype
    Int64
    >>> meant_numbers(pl.Series(["01", "2"])).dtype
    String
    """
    # A glance at the beginning tells most columns that hold anything else.
    if series.dtype != pl.String or not series.head(GLANCE).str.contains(NUMBER).all():
        return series
    texts = series.drop_nulls().unique()
    if len(texts) < FEWEST_NUMBERS or not texts.str.contains(NUMBER).all():
        return series
    whole = not texts.str.contains(".", literal=True).any()
    return series.cast(pl.Int64 if whole else pl.Float64)


def key_space(keys: Sequence[Key]) -> KeySpace:
    """The space spanned by the keys."""
    from microveil.kernels.mondrian.key_space import KeySpace

    places = [key.place if key.place is not None else np.empty(0) for key in keys]
    firsts = [key.tree.first.ravel() if key.tree else np.empty(0, np.int32) for key in keys]
    return KeySpace(
        span=np.array([key.span for key in keys]),
        start=_starts(places),
        place=np.concatenate(places),
        tree=_starts(firsts),
        levels=np.array([len(key.tree.first) if key.tree else 0 for key in keys]),
        n_codes=np.array([key.n_values for key in keys]),
        first=np.concatenate(firsts),
        last=np.concatenate([_flat(key.tree, "last", np.int32) for key in keys]),
        share=np.concatenate([_flat(key.tree, "share", np.float64) for key in keys]),
    )


def _flat(tree: KeyTree | None, field: str, dtype: Any) -> NDArray[Any]:
    return np.empty(0, dtype) if tree is None else getattr(tree, field).ravel()


def _starts(tables: Sequence[NDArray[Any]]) -> NDArray[np.int64]:
    """Start of each table after concatenation; −1 for an empty one."""
    lengths = np.array([len(table) for table in tables])
    return np.where(lengths > 0, np.cumsum(lengths) - lengths, -1)


def _ordered_key(series: pl.Series) -> tuple[Key, Ints]:
    dtype = series.dtype
    _refuse_unbounded(series)
    if isinstance(dtype, pl.Enum):
        members = dtype.categories.cast(dtype)
        whole = series.to_physical().cast(pl.Int32)
        low, high = _whole(whole.min()), _whole(whole.max())
        key = Key(series.name, high - low + 1, ordered=True, listed=members[low : high + 1])
        return key, (whole - low).fill_null(-1).to_numpy()
    exact = not (dtype.is_float() or dtype.is_decimal() or dtype in (pl.UInt64, pl.Int128))
    if exact:
        whole = series.to_physical()
        low, high = _whole(whole.min()), _whole(whole.max())
        if high - low <= LARGEST:
            key = Key(series.name, high - low + 1, ordered=True, low=low, dtype=dtype)
            return key, (whole.cast(pl.Int64) - low).cast(pl.Int32).fill_null(-1).to_numpy()
    codes = (series.rank("dense").cast(pl.Int32) - 1).fill_null(-1).to_numpy()
    listed = _examples(series, codes)
    places = _places(listed)
    return Key(series.name, len(listed), ordered=True, listed=listed, place=places), codes


def _whole(number: object) -> int:
    return int(cast("int", number))


def _refuse_unbounded(series: pl.Series) -> None:
    if series.dtype.is_float():
        n_unbounded = int((~series.is_finite()).sum())
        if n_unbounded:
            raise ColumnError(
                "Column '{name}' holds {n_unbounded} numbers that are infinite or not a "
                "number, which are in no range. Make them missing, or top-code the column "
                "first.",
                name=series.name,
                n_unbounded=n_unbounded,
            )


def _examples(series: pl.Series, codes: Ints) -> pl.Series:
    """One value for each code."""
    position = np.empty(int(codes.max()) + 1, dtype=np.int64)
    there = codes >= 0
    position[codes[there]] = np.flatnonzero(there)
    return series.gather(pl.Series(position))


def _places(listed: pl.Series) -> Floats:
    """Values as floats within ±1, so that no difference overflows."""
    places: Floats = listed.to_physical().cast(pl.Float64).to_numpy()
    largest = float(np.abs(places).max())
    return places / largest if largest > 0 else places


def _category_key(series: pl.Series, records: NDArray[np.int64] | None) -> tuple[Key, Ints]:
    if series.dtype == pl.Binary:
        series = series.bin.encode("hex")
    distinct = Distinct.of(series)
    values = plain(distinct.values)
    counts = np.bincount(distinct.of_record, records, len(values) + 1)[: len(values)]
    by_value = values.arg_sort().to_numpy()
    order = by_value[np.argsort(-counts[by_value], kind="stable")]
    codes = _ranks(order)[distinct.of_record]
    return Key(series.name, len(values), ordered=False, listed=values.gather(order)), codes


def _ranks(order: NDArray[Any]) -> Ints:
    """Code of each distinct value, followed by −1 for missing."""
    ranks = np.full(len(order) + 1, -1, dtype=np.int32)
    ranks[order] = np.arange(len(order), dtype=np.int32)
    return ranks


def _tree_key(
    series: pl.Series,
    builder: HierarchyBuilder,
    unlisted: Unlisted,
    records: NDArray[np.int64] | None,
) -> tuple[Key, Ints]:
    distinct = Distinct.of(series)
    hierarchy = builder.build_for(distinct)
    match = hierarchy.match(distinct)
    if unlisted == "error":
        match.require_all(builder.gap_hint)
    # All unlisted values form one leaf, which is published as a star.
    leaves, leaf_of_value = np.unique(
        np.where(match.rows < 0, hierarchy.n_values, match.rows), return_inverse=True
    )
    of_leaf = _leaf_labels(hierarchy)[leaves]
    counts = np.bincount(distinct.of_record, records, len(leaf_of_value) + 1)[:-1]
    order = _frequent_first(of_leaf, np.bincount(leaf_of_value, weights=counts).astype(np.float64))
    ranks = _ranks(order)
    codes = np.append(ranks[:-1][leaf_of_value], np.int32(-1))[distinct.of_record]
    tree = _tree(hierarchy, of_leaf[order], leaves[order])
    key = Key(series.name, len(leaves), ordered=False, listed=tree.labels[0], tree=tree)
    return key, codes


def _leaf_labels(hierarchy: Hierarchy) -> Ints:
    """Label of each leaf at each level as a number; the last row is that of a star."""
    star = np.full(hierarchy.n_levels, -1, dtype=np.int32)
    star[-1] = 0
    return np.vstack([hierarchy.codes, star])


def _frequent_first(of_leaf: Ints, counts: Floats) -> NDArray[np.int64]:
    """Leaves in an order that keeps labels together, siblings with the most frequent first."""
    ranks = []
    for labels in of_leaf.T:
        _, numbers = np.unique(labels, return_inverse=True)
        totals = np.bincount(numbers, weights=counts)
        ranks.append(np.argsort(np.argsort(-totals, kind="stable"))[numbers])
    return np.lexsort(tuple(ranks))


def _tree(hierarchy: Hierarchy, of_leaf: Ints, leaves: NDArray[np.int64]) -> KeyTree:
    n_values, n_levels = of_leaf.shape
    first = np.empty((n_levels, n_values), dtype=np.int32)
    last, share = np.empty_like(first), np.zeros((n_levels, n_values))
    labels = []
    for level in range(n_levels):
        begins = np.flatnonzero(np.diff(of_leaf[:, level], prepend=of_leaf[0, level] - 1))
        lengths = np.diff(begins, append=n_values)
        first[level] = np.repeat(begins, lengths)
        last[level] = np.repeat(begins + lengths - 1, lengths)
        if level:
            covered = np.append(hierarchy.leaf_counts(level), hierarchy.n_values)
            share[level] = covered[of_leaf[:, level]] / hierarchy.n_values
        text = as_text(hierarchy.frame.to_series(level)).append(pl.Series([STAR]))
        labels.append(text.gather(pl.Series(leaves)))
    return KeyTree(first, last, share, tuple(labels))
