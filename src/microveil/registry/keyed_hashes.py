"""Keyed hashes: what the registry keeps in place of people and values.

Without the key a hash says nothing; with it, equal values have equal hashes in every release, which
is all that a comparison needs. A hash has 64 bits: among a million people two share one by chance
with a probability of 3 in 100 million.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.methods.parts.fingerprints import fingerprint
from microveil.methods.parts.secret_keys import key_for, read_key
from microveil.tables.values import as_text

Hashes = NDArray[np.uint64]
VARIABLE = "MICROVEIL_REGISTRY_KEY"
_SEPARATOR = "\x1f"
_MISSING = "\x00"


class KeyedHashes:
    """Hashes with one secret key, which is kept apart from the registry."""

    def __init__(self, key: bytes) -> None:
        """Derive a key for each use, so that a person's hash is no value's hash."""
        self.fingerprint = fingerprint(key, "registry key")
        self.seal_key = key_for(key, "registry seal")
        self._people, self._cells = key_for(key, "registry person"), key_for(key, "registry cell")

    @classmethod
    def read(cls, file: str | Path | None = None) -> KeyedHashes:
        """Read the key from a file if one is named, else from ``MICROVEIL_REGISTRY_KEY``."""
        return cls(read_key(VARIABLE, None if file is None else Path(file)))

    def people(self, ids: pl.Series) -> Hashes:
        """A hash for each row's person; 0 where it is unknown."""
        return _hash_distinct(self._people, texts_of(ids), "")

    def cells(self, values: pl.Series) -> Hashes:
        """A hash for each cell of a column; 0 where it is missing."""
        return _hash_distinct(self._cells, texts_of(values), values.name + _SEPARATOR)


def texts_of(values: pl.Series) -> pl.Series:
    """Values as text, alike in every file format: 34, 34.0 and "34" are one."""
    if values.dtype.is_nested() or values.dtype in (pl.Object, pl.Binary):
        cells = [None if cell is None else repr(cell) for cell in values.to_list()]
        return pl.Series(values.name, cells, dtype=pl.String)
    return as_text(values)


def row_texts(frame: pl.DataFrame) -> pl.Series:
    """Each row as one text, whatever the order of the columns."""
    columns = [texts_of(frame[name]).fill_null(_MISSING) for name in sorted(frame.columns)]
    if not columns:
        return pl.Series("row", [""] * frame.height, dtype=pl.String)
    return pl.DataFrame(columns).select(pl.concat_str(pl.all(), separator=_SEPARATOR).alias("row"))[
        "row"
    ]


def numbered_rows(frame: pl.DataFrame) -> pl.Series:
    """Each row by its content; rows that are alike are numbered, so that they stay apart."""
    texts = row_texts(frame)
    numbers = pl.int_range(pl.len()).over("row").cast(pl.String)
    return texts.to_frame().select(pl.col("row") + _SEPARATOR + numbers)["row"]


def content_sha256(frame: pl.DataFrame) -> str:
    """Checksum of a table's rows and names, in whatever order they stand.

    >>> content_sha256(pl.DataFrame({"a": [1, 2]})) == content_sha256(pl.DataFrame({"a": [2, 1]}))
    True
    """
    digests = sorted(
        hashlib.blake2b(text.encode(), digest_size=16).digest() for text in row_texts(frame)
    )
    names = _SEPARATOR.join(sorted(frame.columns)).encode()
    return hashlib.sha256(names + b"\0" + b"".join(digests)).hexdigest()


def _hash_distinct(key: bytes, texts: pl.Series, before: str) -> Hashes:
    """Hash each distinct text once."""
    if not texts.null_count() and texts.n_unique() == len(texts):
        return _hash_each(key, texts, before)
    distinct = texts.drop_nulls().unique()
    known = pl.DataFrame({"text": distinct, "hash": _hash_each(key, distinct, before)})
    rows = pl.DataFrame({"text": texts}).join(known, on="text", how="left", maintain_order="left")
    return rows["hash"].fill_null(0).to_numpy()


def _hash_each(key: bytes, texts: pl.Series, before: str) -> Hashes:
    # BLAKE2b with a key is a MAC of its own (RFC 7693), several times as fast as HMAC-SHA-256.
    start = hashlib.blake2b(before.encode(), key=key, digest_size=8)
    heads = bytearray()
    for text in texts.to_list():
        one = start.copy()
        one.update(text.encode())
        heads += one.digest()
    return np.maximum(np.frombuffer(heads, dtype=">u8").astype(np.uint64), np.uint64(1))
