"""Which records match if a missing key matches every value: the one place that decides.

The rule is sdcMicro's (:func:`~microveil.kernels.blanking.rule.counted_share`): two records match
unless a key is present in both and different, but a record with every key missing does not count as
a match for complete ones (of two keys or more). All counts that treat missing as ``wildcard`` use
this module or the kernels below it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from microveil.arrays import Ints
from microveil.errors import ColumnError
from microveil.tables.codes import PACKED_LIMIT, encode

if TYPE_CHECKING:
    from microveil.arrays import Floats, Longs
    from microveil.kernels.blanking.wildcard_matches import Held


Entries = tuple["Longs", "Longs", "Longs"]
"""Class, value and count of each class-value pair that occurs, in order."""


def matching_sizes(keys: pl.DataFrame, counts: Longs) -> Longs:
    """Number of records that match each class, given the number in each class.

    >>> matching_sizes(pl.DataFrame({"a": ["x", None, "y"]}), np.array([1, 1, 3])).tolist()
    [2, 5, 4]
    >>> blank = pl.DataFrame({"a": ["x", None], "b": ["p", None]})
    >>> matching_sizes(blank, np.array([1, 4])).tolist()
    [1, 5]
    """
    return matched_sums(keys, counts.astype(np.float64))[:, 0].astype(np.int64)


def matched_sums(
    keys: pl.DataFrame,
    amounts: Floats,
    other_keys: pl.DataFrame | None = None,
    *,
    alpha: float = 1.0,
    turned: bool = False,
) -> Floats:
    """For each class, the amounts of all classes that match it: (classes, kinds).

    ``other_keys`` are the keys of the amounts, by default the same classes. A match that relies on
    a missing key counts ``alpha``. ``turned``: the other classes count these.

    >>> mine, theirs = pl.DataFrame({"a": ["x", None]}), pl.DataFrame({"a": ["x", "y", None]})
    >>> matched_sums(mine, np.array([1.0, 2, 4]), theirs).ravel().tolist()
    [5.0, 7.0]
    """
    amounts = amounts if amounts.ndim > 1 else amounts[:, None]
    if not keys.width:
        return np.repeat(amounts.sum(axis=0, keepdims=True), keys.height or len(amounts), axis=0)
    if other_keys is None and not has_gaps(keys):
        return amounts
    from microveil.kernels.blanking.wildcard_matches import MatchRule, wildcard_sums

    mine, theirs = _encode_keys(keys, other_keys)
    rule = MatchRule(keys.width > 1, alpha, turned)
    return wildcard_sums(mine, theirs, np.ascontiguousarray(amounts), rule)


def matched_people(
    keys: pl.DataFrame, held: Held, other_keys: pl.DataFrame | None = None, *, alpha: float = 1.0
) -> Floats:
    """Number of distinct people that match each class, and their weight: (classes, 2).

    ``other_keys`` are the keys that people hold, by default those of the classes.
    """
    from microveil.kernels.blanking.wildcard_matches import MatchRule, wildcard_people

    shown = keys if keys.width else pl.DataFrame({"": np.zeros(len(held.start) - 1)})
    mine, theirs = _encode_keys(shown, other_keys)
    return wildcard_people(mine, theirs, held, MatchRule(keys.width > 1, alpha))


def matched_entries(keys: pl.DataFrame, entries: Entries, people: Longs | None = None) -> Entries:
    """The values of each class together with those of all classes that match it.

    With ``people``, one for each entry, counts are of distinct people. Each pair of missing-key
    patterns costs one join over the keys that both have.

    >>> keys = pl.DataFrame({"a": ["x", None]})
    >>> found = matched_entries(keys, (np.array([0, 1]), np.array([5, 7]), np.array([2, 1])))
    >>> [part.tolist() for part in found]
    [[0, 0, 1, 1], [5, 7, 5, 7], [2, 1, 2, 1]]
    """
    classes, values, counts = entries
    if not len(classes) or (people is None and not has_gaps(keys)):
        return entries
    tags = {"value": values} | ({} if people is None else {"person": people})
    theirs = pl.DataFrame({"class": classes, **tags, "n": counts})
    joined = [_join_patterns(pair, theirs, list(tags)) for pair in _pairs_of_patterns(keys)]
    by = ["class", "value"]
    found = pl.concat(joined)
    if people is not None:
        found = found.unique(["class", *tags]).with_columns(pl.lit(1, dtype=pl.Int64).alias("n"))
    ordered = found.group_by(by).agg(pl.col("n").sum()).sort(by)
    return ordered["class"].to_numpy(), ordered["value"].to_numpy(), ordered["n"].to_numpy()


class _Pair(NamedTuple):
    """Classes with one missing-key pattern, and those with another that count for them."""

    mine: Longs
    theirs: Longs
    places: Longs
    """For every class, a number that is equal if the keys that both have are equal."""


def _pairs_of_patterns(keys: pl.DataFrame) -> Iterator[_Pair]:
    from microveil.kernels.blanking.packed_rows import missing_bits
    from microveil.kernels.blanking.rule import counted_share

    if not keys.width:
        everyone = np.zeros(keys.height or 1, dtype=np.int64)
        yield _Pair(everyone[:1], everyone[:1], everyone)
        return
    codes, _ = _encode_keys(keys)
    bits = missing_bits(codes)
    full, several = (1 << codes.shape[1]) - 1, keys.width > 1
    rows = {int(one): np.flatnonzero(bits == one) for one in np.unique(bits)}
    for mine, my_rows in rows.items():
        for theirs, their_rows in rows.items():
            if counted_share(mine, theirs, full, several, 1.0):
                shown = [c for c in range(codes.shape[1]) if not (mine | theirs) >> c & 1]
                yield _Pair(my_rows, their_rows, _places(codes[:, shown]))


def _join_patterns(pair: _Pair, theirs: pl.DataFrame, tags: list[str]) -> pl.DataFrame:
    """Class, tags and count of each match between two patterns."""
    mine = pl.DataFrame({"class": pair.mine, "place": pair.places[pair.mine]})
    there = pl.DataFrame({"class": pair.theirs, "place": pair.places[pair.theirs]})
    summed = there.join(theirs, on="class").group_by("place", *tags).agg(pl.col("n").sum())
    return mine.join(summed, on="place").select("class", *tags, "n")


def _places(codes: Ints) -> Longs:
    places, radix = np.zeros(len(codes), dtype=np.int64), 1
    for column in codes.T:
        levels = int(column.max(initial=-1)) + 2
        if radix * levels > PACKED_LIMIT:
            _, places = np.unique(places, return_inverse=True)
            radix = int(places.max(initial=0)) + 1
        places = places * levels + column + 1
        radix *= levels
    return places


def has_gaps(keys: pl.DataFrame) -> bool:
    """Whether a key is missing somewhere."""
    return any(column.null_count() for column in keys)


def _encode_keys(keys: pl.DataFrame, other: pl.DataFrame | None = None) -> tuple[Ints, Ints]:
    """The keys of both tables as codes, −1 missing; keys missing together form one column."""
    from microveil.kernels.blanking.packed_rows import MOST_COLUMNS

    whole = keys if other is None else pl.concat([keys, other], how="vertical")
    together: dict[bytes, list[pl.Series]] = {}
    for column in whole:
        together.setdefault(column.is_null().to_numpy().tobytes(), []).append(column)
    if len(together) > MOST_COLUMNS:
        raise ColumnError(
            "A missing key can match every value for at most {most_columns} keys with gaps, "
            "not {n_together}. Name fewer quasi-identifiers, or treat missing keys as a "
            "category.",
            most_columns=MOST_COLUMNS,
            n_together=len(together),
        )
    codes = np.full((whole.height, len(together)), -1, dtype=np.int32)
    for number, columns in enumerate(together.values()):
        there = columns[0].is_not_null().to_numpy()
        codes[there, number] = _number_rows([column.filter(there) for column in columns])
    codes = np.ascontiguousarray(codes)
    return (codes, codes) if other is None else (codes[: keys.height], codes[keys.height :])


def _number_rows(columns: Sequence[pl.Series]) -> Longs:
    """Numbers from 0 without gaps, equal if all columns are equal."""
    packed, radix = np.zeros(len(columns[0]), dtype=np.int64), 1
    for column in columns:
        codes = encode(column)
        if radix * codes.radix > PACKED_LIMIT:
            _, packed = np.unique(packed, return_inverse=True)
            radix = int(packed.max(initial=0)) + 1
        packed = packed * codes.radix + codes.values
        radix *= codes.radix
    return np.unique(packed, return_inverse=True)[1]
