"""Streams: the source of randomness of each step.

A stream is derived from the seed with a keyed hash (BLAKE2b; Aumasson, Neves, Wilcox-O'Hearn &
Winnerlein 2013) over the step's position, its parameters and the data. If any of these differs, two
streams are unrelated, so releases made with one seed cannot be combined to remove the noise.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass, field
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from microveil.errors import InputError
from microveil.tables.kinds import n_unwritable

if TYPE_CHECKING:
    from microveil.specs import Spec

_PERSON = b"microveil stream"
SEED_BITS = 128


@dataclass(frozen=True)
class Chance:
    """The randomness of one run: a secret seed, and the data it is for."""

    seed: int = field(repr=False)
    data: bytes = field(repr=False)
    """Fingerprint of the data; noise for one table must not fit another."""

    @classmethod
    def of(cls, seed: int | None, frame: pl.DataFrame, part: int = 0) -> Chance:
        """Randomness for a table, or for a part of it, from the caller's seed or an unknown one."""
        if seed is None:  # fresh for each table, so no fingerprint is needed
            return cls(fresh_seed(None), b"")
        return cls(fresh_seed(seed), b"%d %s" % (part, data_fingerprint(frame)))

    def stream(self, step: Spec, position: int) -> np.random.Generator:
        """The random stream of the step at a position of a recipe."""
        message = b"%d\0%s\0%s" % (position, self.data, step.identity.encode())
        digest = hashlib.blake2b(
            message, digest_size=32, key=_key(self.seed), person=_PERSON
        ).digest()
        return np.random.default_rng(int.from_bytes(digest))


def fresh_seed(seed: int | None) -> int:
    """The caller's seed, or one that nobody knows."""
    if seed is None:
        return secrets.randbits(SEED_BITS)
    if not isinstance(seed, Integral) or seed < 0:
        raise InputError("The seed must be a non-negative whole number.")
    return int(seed)


def _key(seed: int) -> bytes:
    """The seed as a hash key, whatever its size."""
    raw = seed.to_bytes(max((seed.bit_length() + 7) // 8, 1))
    limit = hashlib.blake2b.MAX_KEY_SIZE
    return raw if len(raw) <= limit else hashlib.blake2b(raw, person=_PERSON).digest()


def data_fingerprint(frame: pl.DataFrame) -> bytes:
    """A digest of the names, cells and order of a table, whatever frame it came in as.

    >>> data_fingerprint(pl.DataFrame({"x": [1]})) == data_fingerprint(pl.DataFrame({"x": [2]}))
    False
    """
    digest = hashlib.blake2b(digest_size=32, person=_PERSON)
    digest.update(b"%d" % frame.height)
    for column in frame.get_columns():
        digest.update(b"\0%s\0" % column.name.encode())
        for part in _bytes_of(column):
            digest.update(part)
    return digest.digest()


def _bytes_of(column: pl.Series) -> list[Any]:
    """The cells as bytes: numbers as numbers, all else as text; missing ones are distinct."""
    dtype = column.dtype
    missing = column.is_null().to_numpy()
    told = np.packbits(missing).tobytes()
    if dtype.is_float():
        return [told, column.cast(pl.Float64).fill_null(0).to_numpy().tobytes()]
    if dtype.is_integer() and dtype not in (pl.UInt64, pl.Int128, pl.UInt128):
        return [told, column.cast(pl.Int64).fill_null(0).to_numpy().tobytes()]
    if dtype == pl.Object:
        return [told]
    texts = _texts(column).fill_null("")
    return [told, texts.str.len_bytes().to_numpy().tobytes(), texts.str.join("").item().encode()]


def _texts(column: pl.Series) -> pl.Series:
    if column.dtype == pl.Binary:
        return column.bin.encode("hex")
    if column.dtype.is_nested():
        lines = column.to_frame().write_ndjson().splitlines()
        return pl.Series(column.name, lines, dtype=pl.String)
    if column.dtype == pl.Duration or n_unwritable(column):
        return column.to_physical().cast(pl.String)
    return column.cast(pl.String)
