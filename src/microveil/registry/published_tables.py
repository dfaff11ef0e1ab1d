"""Published tables of counts as keyed hashes, and what differencing with them gives away.

A table counts ten people in a cell, and the microdata have nine of them: the tenth is known to be
left out, and everything that can be computed for ten and for nine can be computed for one.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl

from microveil.arrays import Floats
from microveil.errors import FileError
from microveil.registry.keyed_hashes import Hashes, KeyedHashes
from microveil.registry.signatures import Signatures


@dataclass(frozen=True, eq=False)
class PublishedTable:
    """A published table of counts: a hash per code, 0 for a total, and the number as published."""

    by: tuple[str, ...]
    cells: Hashes = field(repr=False)
    counts: Floats = field(repr=False)
    """NaN where a cell is suppressed."""


@dataclass(frozen=True)
class Differences:
    """Cells that two publications count differently, by fewer people than required."""

    by: tuple[str, ...]
    n_compared: int
    n_small: int
    """Cells whose counts differ by 1 to k − 1."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {**self.__dict__, "by": list(self.by)}


def hash_table(
    hashes: KeyedHashes, frame: pl.DataFrame, by: Sequence[str], total: str
) -> PublishedTable:
    """A published table with columns ``by`` and ``value``; a missing value is a suppressed cell."""
    columns = []
    for name in by:
        hashed = hashes.cells(frame[name])
        columns.append(np.where((frame[name].cast(pl.String) == total).to_numpy(), 0, hashed))
    return PublishedTable(
        tuple(by),
        np.column_stack(columns).astype(np.uint64),
        frame["value"].cast(pl.Float64).fill_null(np.nan).to_numpy(),
    )


def difference_with_release(table: PublishedTable, release: Signatures, k: int) -> Differences:
    """Compare a published table with the records of a release, by the variables they share."""
    shared = [name for name in table.by if name in release.keys]
    other = [place for place, name in enumerate(table.by) if name not in release.keys]
    counted = (
        PublishedTable((), np.zeros((1, 0), np.uint64), np.array([float(release.n_records)]))
        if not shared
        else _margins(release, shared)
    )
    whole = (table.cells[:, other] == 0).all(axis=1)  # cells that are totals of all others
    kept = [table.by.index(name) for name in shared]
    return _difference(
        PublishedTable(tuple(shared), table.cells[whole][:, kept], table.counts[whole]), counted, k
    )


def difference_tables(one: PublishedTable, other: PublishedTable, k: int) -> Differences:
    """Compare the cells that two published tables share."""
    shared = [name for name in one.by if name in other.by]
    sides = []
    for table in (one, other):
        rest = [place for place, name in enumerate(table.by) if name not in shared]
        whole = (table.cells[:, rest] == 0).all(axis=1)
        kept = [table.by.index(name) for name in shared]
        sides.append(
            PublishedTable(tuple(shared), table.cells[whole][:, kept], table.counts[whole])
        )
    return _difference(sides[0], sides[1], k)


def _margins(release: Signatures, shared: Sequence[str]) -> PublishedTable:
    """Counts of a release by some keys, with all totals."""
    columns = [release.keys.index(name) for name in shared]
    cells = release.cells[:, columns][release.classes]
    rows = pl.DataFrame(dict(zip(shared, cells.T, strict=True)))
    found = []
    for number in range(2 ** len(shared)):
        kept = [name for place, name in enumerate(shared) if number >> place & 1]
        zero = [pl.lit(0, pl.UInt64).alias(name) for name in shared if name not in kept]
        counts = (
            rows.group_by(kept).agg(pl.len().cast(pl.Float64).alias("n"))
            if kept
            else pl.DataFrame({"n": [float(rows.height)]})
        )
        # A cell of missing keys is no total.
        counts = counts.filter(*(pl.col(name) != 0 for name in kept)) if kept else counts
        found.append(counts.with_columns(zero).select(*shared, "n"))
    told = pl.concat(found)
    return PublishedTable(tuple(shared), told.select(shared).to_numpy(), told["n"].to_numpy())


def _difference(one: PublishedTable, other: PublishedTable, k: int) -> Differences:
    names = [f"c{place}" for place in range(len(one.by))] or ["all"]
    first, second = (_as_frame(table, names) for table in (one, other))
    both = first.join(second, on=names, how="inner", suffix="_other")
    gaps = (both["n"] - both["n_other"]).abs().drop_nans().drop_nulls()
    small = int(((gaps > 0) & (gaps < k)).sum())
    return Differences(one.by, len(gaps), small)


def _as_frame(table: PublishedTable, names: list[str]) -> pl.DataFrame:
    cells = table.cells if table.by else np.zeros((len(table.counts), 1), dtype=np.uint64)
    frame = pl.DataFrame(dict(zip(names, cells.T, strict=True)))
    return frame.with_columns(pl.Series("n", table.counts)).unique(names)


def pack_tables(tables: Sequence[PublishedTable]) -> bytes:
    """Tables as bytes."""
    plain = [
        {
            "by": list(one.by),
            "cells": one.cells.tolist(),
            "counts": [None if np.isnan(count) else count for count in one.counts],
        }
        for one in tables
    ]
    return zlib.compress(json.dumps(plain).encode(), level=1)


def unpack_tables(packed: bytes) -> tuple[PublishedTable, ...]:
    """Tables from bytes that :func:`pack_tables` made."""
    try:
        return tuple(
            PublishedTable(
                tuple(one["by"]),
                np.array(one["cells"], dtype=np.uint64).reshape(-1, len(one["by"])),
                np.array([np.nan if n is None else n for n in one["counts"]], dtype=np.float64),
            )
            for one in json.loads(zlib.decompress(packed))
        )
    except (zlib.error, ValueError, KeyError, TypeError):
        raise FileError(
            "The tables of a release are damaged. Restore a copy of the registry."
        ) from None
