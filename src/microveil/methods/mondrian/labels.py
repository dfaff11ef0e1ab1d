"""Published labels of each partition: a range, a set, a tree label, or a centre."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from microveil.arrays import Ints, Longs
from microveil.methods.mondrian.keys import Key
from microveil.methods.parts.value_text import value_text
from microveil.tables.codes import encode

if TYPE_CHECKING:
    from microveil.kernels.mondrian.key_space import KeySpace
    from microveil.kernels.mondrian.partition import Partitions


SPECIAL = r"([\\,{}])"
"""Characters that need a backslash inside a set."""


@dataclass(frozen=True, eq=False)
class Labels:
    """The published labels of a column, and the label of each partition."""

    labels: pl.Series
    """Each label once; missing if the value is withheld."""
    of_partition: Longs
    same: bool
    """Whether every record keeps its own value."""

    def spread(self, of_record: Ints, name: str) -> pl.Series:
        """The labels of the records."""
        return self.labels.gather(pl.Series(self.of_partition[of_record])).alias(name)


def node_labels(key: Key, column: int, partitions: Partitions, space: KeySpace) -> Labels:
    """The lowest tree label that covers all values of a partition.

    If some records of a partition have no value, none is published. A key without a tree has
    ranges.
    """
    from microveil.kernels.mondrian.summaries import code_ranges, common_levels

    if key.tree is None:
        return range_labels(key, column, partitions)
    low, high = code_ranges(partitions.codes[column], partitions.starts)
    levels = common_levels(space, column, low, high)
    places = np.where(low < 0, -1, levels * key.n_values + key.tree.first[levels, low])
    nodes, of_partition = np.unique(places, return_inverse=True)
    every = pl.concat([*key.tree.labels, pl.Series([None], dtype=pl.String)])
    labels = every.gather(pl.Series(np.where(nodes < 0, len(every) - 1, nodes)))
    return _each_once(labels, of_partition, same=key.kept_whole(low, high))


def _each_once(labels: pl.Series, of_partition: Longs, *, same: bool) -> Labels:
    """Merge equal labels: those of several levels, or means, may coincide."""
    numbers = encode(labels).values
    _, example, number = np.unique(numbers, return_index=True, return_inverse=True)
    return Labels(labels.gather(pl.Series(example)), number[of_partition], same=same)


def range_labels(key: Key, column: int, partitions: Partitions) -> Labels:
    """Ranges of ordered values, sets of categories.

    A value that all records of a partition share is published as it is. If some records of a
    partition have no value, none is published.
    """
    from microveil.kernels.mondrian.summaries import code_ranges

    low, high = code_ranges(partitions.codes[column], partitions.starts)
    if not key.ordered and (low != high).any():
        return _set_labels(key, partitions.codes[column], partitions.starts, low, high)
    pairs, of_partition = _distinct_pairs(low, high)
    ends = pl.DataFrame({"low": _text(key, pairs[:, 0]), "high": _text(key, pairs[:, 1])})
    both = pl.format("[{}, {}]", "low", "high")
    label = pl.when(pl.col("low") == pl.col("high")).then("low").otherwise(both)
    labels = ends.select(label.alias("label")).to_series()
    return Labels(labels, of_partition, same=key.kept_whole(low, high))


def _distinct_pairs(low: Ints, high: Ints) -> tuple[Ints, Longs]:
    """Each pair of codes once, with (−1, −1) if one is missing, and the pair of each partition."""
    packed = np.where(low < 0, -1, (low.astype(np.int64) << 32) | high)
    pairs, of_partition = np.unique(packed, return_inverse=True)
    ends = np.stack([pairs >> 32, np.where(pairs < 0, -1, pairs & 0xFFFFFFFF)], axis=1)
    return ends.astype(np.int32), of_partition


def _text(key: Key, codes: Ints) -> pl.Series:
    """The values of codes as text; missing where the code is."""
    there = codes >= 0
    text = value_text(key.values_of(codes[there])).cast(pl.String)
    place = np.where(there, np.cumsum(there) - 1, len(text))
    return text.append(pl.Series([None], dtype=pl.String)).gather(pl.Series(place))


def _set_labels(key: Key, codes: Ints, starts: Longs, low: Ints, high: Ints) -> Labels:
    from microveil.kernels.mondrian.summaries import distinct_codes

    found, counts = distinct_codes(codes, starts)
    several = np.repeat((low >= 0) & (low != high), counts)
    escaped = _text(key, np.arange(key.n_values, dtype=np.int32)).str.replace_all(SPECIAL, r"\${1}")
    members = pl.DataFrame(
        {
            "partition": np.repeat(np.arange(len(starts)), counts)[several],
            "member": escaped.gather(pl.Series(found[several])),
        }
    )
    joined = members.group_by("partition", maintain_order=True).agg(
        pl.concat_str(pl.lit("{"), pl.col("member").str.join(", "), pl.lit("}")).alias("set")
    )
    single = _text(key, np.where(low == high, low, -1).astype(np.int32))
    sets = (
        pl.Series(np.arange(len(starts)))
        .to_frame("partition")
        .join(joined, on="partition", how="left", maintain_order="left")["set"]
    )
    labels = pl.select(pl.coalesce(sets, single)).to_series()
    return _each_once(labels, np.arange(len(starts)), same=False)


def centre_labels(key: Key, column: int, partitions: Partitions, original: pl.Series) -> Labels:
    """Mean of numbers, lower median of other ordered values, most frequent category.

    If some records of a partition have no value, none is published.
    """
    from microveil.kernels.mondrian.summaries import code_ranges, medians, modes

    codes, starts = partitions.codes[column], partitions.starts
    low, high = code_ranges(codes, starts)
    same = key.kept_whole(low, high)
    if key.ordered and original.dtype.is_numeric():
        means = _means(partitions, original, low, high)
        return _each_once(means, np.arange(len(starts)), same=same)
    centres = np.where(low < 0, -1, (medians if key.ordered else modes)(codes, starts))
    found, of_partition = np.unique(centres, return_inverse=True)
    values = key.values_of(found[found >= 0].astype(np.int32))
    if len(values) < len(found):
        values = values.clear().extend_constant(None, 1).append(values)
    return Labels(values, of_partition, same=same)


def _means(partitions: Partitions, original: pl.Series, low: Ints, high: Ints) -> pl.Series:
    numbers = original.cast(pl.Float64).fill_null(0.0).to_numpy()[partitions.order]
    sizes = np.diff(partitions.starts, append=len(numbers))
    # Numbers near the largest one are summed as small ones: a power of two changes no digit.
    scale = 2.0**-60 if np.abs(numbers).max(initial=0.0) > 2.0**960 else 1.0
    means = np.add.reduceat(numbers * scale, partitions.starts) / sizes / scale
    # The mean of equal numbers is that number, whatever rounding does to their sum.
    means = np.where(low == high, numbers[partitions.starts], means)
    return pl.select(
        pl.when(pl.lit(pl.Series(low)) >= 0).then(pl.lit(pl.Series(means)))
    ).to_series()
