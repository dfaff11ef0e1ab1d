"""The intersection attack: how many people are alike in everything that the releases say.

Two releases can each hide a person among k, and show them alone together (Ganta, Kasiviswanathan &
Smith 2008). An intruder who knows that somebody is in several releases finds the person's class in
each of them; the people who are in all of these classes are left.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from microveil.registry.joining import MOST_PATTERNS, JoinedPeople, Pattern
from microveil.tables import Classes, Missing, Roles, Table

MOST_PAIRS = 20_000_000
"""Pairs of people that are compared at a time."""


@dataclass(frozen=True, eq=False)
class Alike:
    """How many people have how many others like them in all releases together."""

    k: int
    sizes: pl.DataFrame
    """``size`` (people alike, the person included) and ``n``, how many people have it. Sizes below
    k are exact; larger ones may be larger still where people are in different releases."""
    cautious: bool = False
    """Whether sizes below k may be larger, too: people are in too many sets of releases."""

    @property
    def n_people(self) -> int:
        """People in the new release and in an earlier one."""
        return int(self.sizes["n"].sum())

    @property
    def smallest(self) -> int | None:
        """The fewest people who are alike; None if nobody is in two releases."""
        return int(np.asarray(self.sizes["size"].min())) if self.sizes.height else None

    def n_below(self, k: int) -> int:
        """People with fewer than k alike."""
        return int(self.sizes.filter(pl.col("size") < k)["n"].sum())


def count_alike(joined: JoinedPeople, k: int, missing: Missing = "category") -> Alike:
    """How many people each person cannot be told from, by all releases that the person is in."""
    patterns = list(joined.patterns())
    cautious = False
    if missing == "wildcard":
        cautious = len(patterns) > MOST_PATTERNS
        found = [_match_wildcards(joined, one) for one in patterns[:MOST_PATTERNS]]
        rest = joined.rows.filter(
            pl.col("mask").is_in([one.mask for one in patterns[MOST_PATTERNS:]])
        )
        rows = pl.concat([*found, _within_pattern(joined, rest)])
    else:
        rows = _within_pattern(joined, joined.rows)
        if len(patterns) > 1:
            rows = _beyond_pattern(joined, rows, k)
    sizes = _smallest_of_each(rows, joined)
    return Alike(k, sizes.group_by("size").agg(_COUNT.alias("n")).sort("size"), cautious)


_COUNT = pl.len().cast(pl.Int64)


def _within_pattern(joined: JoinedPeople, rows: pl.DataFrame) -> pl.DataFrame:
    """Each row with the people alike among those who are in exactly the same releases."""
    columns = ["mask", *joined.names]
    people = rows if joined.single else rows.select("person", *columns).unique()
    counts = people.group_by(columns).agg(_COUNT.alias("size"))
    return rows.join(counts, on=columns, nulls_equal=True).select("person", *columns, "size")


def _beyond_pattern(joined: JoinedPeople, rows: pl.DataFrame, k: int) -> pl.DataFrame:
    """The same, where fewer than k are alike, with those who are in further releases, too."""
    few = rows.filter(pl.col("size") < k).with_row_index("asks")
    found = [rows.filter(pl.col("size") >= k)]
    for place, first in enumerate(joined.names[:-1]):
        # People by the first earlier release they are in: it and the new one narrow the search.
        before = (1 << place) - 1
        seen = pl.col("mask") & pl.lit(before, pl.Int64)
        asking = few.filter(pl.col(first).is_not_null() & (seen == 0))
        found += [_recount(joined, part, first) for part in _in_chunks(joined, asking, first)]
    return pl.concat([one.select(rows.columns) for one in found])


def _in_chunks(joined: JoinedPeople, asking: pl.DataFrame, first: str) -> list[pl.DataFrame]:
    """Those who ask in parts, so that not too many pairs are compared at a time."""
    if not asking.height:
        return []
    sizes = joined.rows.group_by("new", first).agg(pl.len().alias("pairs"))
    pairs = asking.join(sizes, on=["new", first], how="left", maintain_order="left")["pairs"]
    numbers = pairs.cum_sum() // MOST_PAIRS
    return asking.with_columns(numbers.alias("chunk")).partition_by("chunk", include_key=False)


def _recount(joined: JoinedPeople, asking: pl.DataFrame, first: str) -> pl.DataFrame:
    """Count the people alike in the releases of who asks, wherever else they are."""
    others = joined.rows.select(
        "new", first, *(pl.col(name).alias(f"{name} other") for name in joined.names[:-1]),
        pl.col("person").alias("other"),
    )  # fmt: skip
    alike = [
        pl.col(name).is_null() | (pl.col(name) == pl.col(f"{name} other")).fill_null(value=False)
        for name in joined.names[:-1]
    ]
    pairs = asking.join(others, on=["new", first]).filter(pl.all_horizontal(alike))
    counts = pairs.group_by("asks").agg(pl.col("other").n_unique().cast(pl.Int64).alias("size"))
    return asking.drop("size").join(counts, on="asks")


def _smallest_of_each(sizes: pl.DataFrame, joined: JoinedPeople) -> pl.DataFrame:
    """A person with several records is found by the rarest."""
    if joined.single:
        return sizes.select("size")
    return sizes.group_by("person").agg(pl.col("size").min()).select("size")


def _match_wildcards(joined: JoinedPeople, pattern: Pattern) -> pl.DataFrame:
    """Sizes where a missing key matches every value, in each release."""
    rows = joined.candidates(pattern)
    columns: dict[str, pl.Series] = {}
    for name, release in zip(joined.names, joined.releases, strict=True):
        if name in pattern.columns and not release.linked:
            cells = release.cells[rows[name].to_numpy()]
            for key, hashed in zip(release.keys, cells.T, strict=True):
                told = pl.Series(hashed)
                columns[f"{name} {key}"] = told.set(told == 0, None)
        elif name in pattern.columns:
            columns[name] = rows[name]
    people = np.unique(rows["person"].to_numpy(), return_inverse=True)[1].astype(np.int64)
    table = Table(
        pl.DataFrame(columns),
        Roles(quasi_identifiers=tuple(columns)),
        people=None if joined.single else people,
    )
    classes = Classes.of(table, missing="wildcard").by_row
    sizes = pl.Series("size", classes.sizes[classes.record_class], dtype=pl.Int64)
    counted = rows.with_columns(sizes).filter(pl.col("mask") == pattern.mask)
    return counted.select("person", "mask", *joined.names, "size")
