"""Signatures of a release: each person's class, as keyed hashes; no value of any record."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.errors import FileError
from microveil.registry.keyed_hashes import Hashes, KeyedHashes, numbered_rows
from microveil.tables import Missing, Table

ROWS = "rows"
"""How people are told apart when no column does: by the content of their rows."""


@dataclass(frozen=True, eq=False)
class Signatures:
    """Who is in which class of a release, and which sensitive values a class shows."""

    keys: tuple[str, ...]
    people: Hashes = field(repr=False)
    """The person of each record; 0 if nobody knows."""
    classes: NDArray[np.int32] = field(repr=False)
    """Row of ``cells`` for each record."""
    cells: Hashes = field(repr=False)
    """Each class by the hashes of its keys; 0 is a missing key."""
    sensitive: Mapping[str, pl.DataFrame] = field(default_factory=dict, repr=False)
    """By column: ``class``, ``value`` (a hash) and ``n``, the records with it."""
    linked: bool = False
    """Whether the release shows which records belong to one person."""
    missing: Missing = "category"
    people_by: str = ROWS
    """Column that tells people apart, or ``rows``."""

    @property
    def n_records(self) -> int:
        """Records of the release."""
        return len(self.classes)

    def restrict(self, keys: Sequence[str]) -> Signatures:
        """The same release to an intruder who knows some of the keys."""
        wanted = [key for key in self.keys if key in keys]
        if len(wanted) == len(self.keys):
            return self
        columns = [self.keys.index(key) for key in wanted]
        cells, merged = _distinct_rows(self.cells[:, columns])
        sensitive = {
            name: counts.with_columns(pl.Series("class", merged[counts["class"].to_numpy()]))
            .group_by("class", "value")
            .agg(pl.col("n").sum())
            for name, counts in self.sensitive.items()
        }
        return Signatures(
            tuple(wanted),
            self.people,
            merged[self.classes],
            cells,
            sensitive,
            self.linked,
            self.missing,
            self.people_by,
        )

    def pack(self) -> bytes:
        """The signatures as bytes."""
        arrays: dict[str, NDArray[Any]] = {
            "people": self.people,
            "classes": self.classes,
            "cells": self.cells,
        }
        for place, counts in enumerate(self.sensitive.values()):
            for name in ("class", "value", "n"):
                arrays[f"sensitive.{place}.{name}"] = counts[name].to_numpy()
        head = {
            "keys": self.keys,
            "sensitive": list(self.sensitive),
            "linked": self.linked,
            "missing": self.missing,
            "people_by": self.people_by,
            "arrays": {name: [str(one.dtype), one.shape] for name, one in arrays.items()},
        }
        start = json.dumps(head).encode() + b"\n"
        raw = b"".join(np.ascontiguousarray(one).tobytes() for one in arrays.values())
        return zlib.compress(start + raw, level=1)

    @classmethod
    def unpack(cls, packed: bytes) -> Signatures:
        """The signatures in bytes that :meth:`pack` made."""
        try:
            start, _, raw = zlib.decompress(packed).partition(b"\n")
            head = json.loads(start)
            arrays = _read_arrays(head["arrays"], raw)
            sensitive = {
                name: pl.DataFrame(
                    {part: arrays[f"sensitive.{place}.{part}"] for part in ("class", "value", "n")}
                )
                for place, name in enumerate(head["sensitive"])
            }
            return cls(
                tuple(head["keys"]),
                arrays["people"],
                arrays["classes"],
                arrays["cells"],
                sensitive,
                head["linked"],
                head["missing"],
                head["people_by"],
            )
        except (zlib.error, ValueError, KeyError, TypeError):
            raise FileError(
                "The signatures of a release are damaged. Restore a copy of the registry."
            ) from None


def sign_table(
    hashes: KeyedHashes,
    released: Table,
    people: pl.Series,
    *,
    people_by: str,
    missing: Missing = "category",
) -> Signatures:
    """The signatures of a released table; ``people`` names the person of each of its rows."""
    roles, frame = released.roles, released.frame
    wanted = dict.fromkeys(name for keys in roles.key_sets().values() for name in keys)
    keys = tuple(name for name in wanted if name in frame.columns)
    hashed = [hashes.cells(frame[name]) for name in keys]
    rows = np.column_stack(hashed) if hashed else np.zeros((frame.height, 0), dtype=np.uint64)
    cells, classes = _distinct_rows(rows)
    sensitive = {
        name: _count_values(classes, hashes.cells(frame[name]))
        for name in roles.sensitive
        if name in frame.columns and name not in keys
    }
    return Signatures(
        keys,
        hashes.people(people),
        classes,
        cells,
        sensitive,
        linked=released.linked,
        missing=missing,
        people_by=people_by,
    )


def people_of(original: Table, released: Table, column: str | None) -> tuple[pl.Series, str]:
    """The person of each released row, by a column of the original or the rows' content.

    The order of the rows and the name of the file do not matter.
    """
    named = column or original.roles.entity
    if named is not None:
        original.require([named])
        ids, by = original.frame[named], named
    else:
        ids, by = numbered_rows(original.frame), ROWS
    return (ids if released.rows is None else ids[released.rows]), by


def _count_values(classes: NDArray[np.int32], values: Hashes) -> pl.DataFrame:
    return (
        pl.DataFrame({"class": classes, "value": values})
        .filter(pl.col("value") != 0)
        .group_by("class", "value", maintain_order=True)
        .agg(pl.len().cast(pl.Int64).alias("n"))
    )


def _distinct_rows(rows: Hashes) -> tuple[Hashes, NDArray[np.int32]]:
    """The distinct rows of a matrix, and which of them each row is."""
    n_rows, n_columns = rows.shape
    if not n_columns:
        return np.zeros((min(n_rows, 1), 0), dtype=np.uint64), np.zeros(n_rows, dtype=np.int32)
    names = [f"c{place}" for place in range(n_columns)]
    frame = pl.DataFrame(dict(zip(names, rows.T, strict=True)))
    distinct = frame.unique(maintain_order=True).with_row_index("class")
    found = frame.join(distinct, on=names, how="left", maintain_order="left")["class"]
    return distinct.select(names).to_numpy(), found.cast(pl.Int32).to_numpy()


def _read_arrays(described: Mapping[str, Any], raw: bytes) -> dict[str, NDArray[Any]]:
    arrays, place = {}, 0
    for name, (dtype, shape) in described.items():
        kind, n = np.dtype(dtype), int(np.prod(shape))
        arrays[name] = np.frombuffer(raw, kind, n, place).reshape(shape)
        place += n * kind.itemsize
    return arrays
