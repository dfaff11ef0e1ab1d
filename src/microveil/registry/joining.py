"""People of several releases joined: which class each of them has in every release."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import polars as pl

from microveil.errors import InputError
from microveil.registry.signatures import Signatures

MOST_ROWS = 40_000_000
"""Rows up to which the records of a person in one release are paired with those in another."""
MOST_PATTERNS = 128
"""Sets of releases that people are in, up to which each is looked at by itself."""
NEW = "new"


class Pattern(NamedTuple):
    """The people who are in the same releases."""

    mask: int
    columns: tuple[str, ...]
    """The releases they are in, the new one last."""
    n_people: int


@dataclass(frozen=True, eq=False)
class JoinedPeople:
    """For everybody who is in the new release and an earlier one: the class in each of them.

    ``rows`` has ``person``, ``mask`` and a column per release, empty where the person is not in it.
    A person with several records has a row for each way to pick one of them per release, unless
    the releases show which records belong together: then all of them are one class.
    """

    rows: pl.DataFrame
    names: tuple[str, ...]
    """The columns of the releases, the new one last."""
    releases: tuple[Signatures, ...]
    single: bool
    """Whether every person has one row."""

    @property
    def n_people(self) -> int:
        """People in the new release and in an earlier one."""
        return self.rows["person"].n_unique()

    def patterns(self) -> Iterator[Pattern]:
        """The sets of releases that people are in, the most frequent first."""
        counts = self.rows.group_by("mask").agg(pl.col("person").n_unique().alias("n"))
        for mask, n_people in counts.sort(["n", "mask"], descending=True).iter_rows():
            yield Pattern(mask, self._columns_of(mask), n_people)

    def _columns_of(self, mask: int) -> tuple[str, ...]:
        return tuple(name for place, name in enumerate(self.names) if mask >> place & 1)

    def candidates(self, pattern: Pattern) -> pl.DataFrame:
        """The rows of everybody who is in these releases, and perhaps in others."""
        seen = pl.col("mask") & pl.lit(pattern.mask, pl.Int64)
        return self.rows.filter(seen == pattern.mask)


def join_people(releases: Sequence[Signatures]) -> JoinedPeople:
    """Join the people of earlier releases with those of the last one."""
    _check_alike(releases)
    names = (*(f"r{place}" for place in range(len(releases) - 1)), NEW)
    tables = [_classes_of(one, name) for one, name in zip(releases, names, strict=True)]
    if _n_joined(tables) > MOST_ROWS:  # then all records of a person are one class
        tables = [_as_sets(one, name) for one, name in zip(tables, names, strict=True)]
    rows = tables[-1]
    for table in tables[:-1]:
        rows = rows.join(table, on="person", how="left")
    bits = [
        pl.col(name).is_not_null().cast(pl.Int64) * (1 << place) for place, name in enumerate(names)
    ]
    only_new = 1 << (len(names) - 1)
    rows = rows.with_columns(pl.sum_horizontal(bits).alias("mask"))
    rows = rows.filter(pl.col("mask") != only_new)
    single = all(one["person"].n_unique() == one.height for one in tables)
    return JoinedPeople(rows, names, tuple(releases), single)


def _check_alike(releases: Sequence[Signatures]) -> None:
    ways = sorted({one.people_by for one in releases})
    known = {way for way in ways if way != "rows"}
    if len(ways) > 1 and len(known) != len(ways):
        raise InputError(
            "People cannot be compared: one release tells them apart by a column, another by the "
            "content of rows. Name the column of people (--person COLUMN) for both."
        )


def _classes_of(release: Signatures, name: str) -> pl.DataFrame:
    """Each person's classes, each once."""
    rows = pl.DataFrame({"person": release.people, name: release.classes})
    rows = rows.filter(pl.col("person") != 0).unique()
    return _as_sets(rows, name) if release.linked else rows


def _as_sets(rows: pl.DataFrame, name: str) -> pl.DataFrame:
    """One class per person: the set of the classes of all their records."""
    if rows["person"].n_unique() == rows.height:
        return rows
    sets = rows.group_by("person").agg(pl.col(name).sort().cast(pl.String).str.join(","))
    return sets.with_columns(pl.col(name).rank("dense").cast(pl.Int32))


def _n_joined(tables: Sequence[pl.DataFrame]) -> int:
    """Rows that joining all of them would make."""
    total = tables[-1].group_by("person").agg(pl.len().cast(pl.Float64).alias("n"))
    for table in tables[:-1]:
        more = table.group_by("person").agg(pl.len().alias("m"))
        total = total.join(more, on="person", how="left").select(
            "person", pl.col("n") * pl.col("m").fill_null(1)
        )
    return int(min(float(total["n"].sum()), 2.0**62))
