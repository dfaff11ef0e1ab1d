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
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import polars as pl

from microveil.errors import InputError, InternalError
from microveil.tables.kinds import n_unwritable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from microveil.specs import Spec

_PERSON = b"microveil stream"
SEED_BITS = 128
MANY = 65_536
"""Rows from which whole numbers are read in the smallest type that holds them: in a large table
reading all bytes would take longer than many a step."""
WIDTHS = ((8, pl.Int8()), (16, pl.Int16()), (32, pl.Int32()), (64, pl.Int64()))


@dataclass(frozen=True)
class Chance:
    """The randomness of one run: a secret seed, and the data it is for."""

    seed: int = field(repr=False)
    data: bytes = field(repr=False)
    """Fingerprint of the data; noise for one table must not fit another."""

    @classmethod
    def of(
        cls,
        seed: int | None,
        frame: pl.DataFrame,
        part: int = 0,
        *,
        steps: Sequence[Spec] | None = None,
    ) -> Chance:
        """Randomness for a table, or for a part of it, from the caller's seed or an unknown one.

        If the steps are given and none of them draws, the table is not read: a fingerprint takes
        longer than many a step.
        """
        if seed is None:  # fresh for each table, so no fingerprint is needed
            return cls(fresh_seed(None), b"")
        if steps is not None and not any(_draws(step) for step in steps):
            return cls(fresh_seed(seed), b"")
        return cls(fresh_seed(seed), b"%d %s" % (part, data_fingerprint(frame)))

    def stream(self, step: Spec, position: int) -> np.random.Generator:
        """The random stream of the step at a position of a recipe."""
        if not _draws(step):
            return cast("np.random.Generator", _NoStream(step))
        message = b"%d\0%s\0%s" % (position, self.data, step.identity.encode())
        digest = hashlib.blake2b(
            message, digest_size=32, key=_key(self.seed), person=_PERSON
        ).digest()
        return np.random.default_rng(int.from_bytes(digest))


class _NoStream:
    """Stands in for the stream of a step that draws nothing."""

    def __init__(self, step: Spec) -> None:
        self._kind = type(step).__name__

    def __getattr__(self, name: str) -> Any:
        # Python's own questions, as when an object is copied, are no draws.
        if name.startswith("__"):
            raise AttributeError(name)
        raise InternalError(
            "{kind} draws at random, though it says that it does not.", kind=self._kind
        )


def _draws(step: Spec) -> bool:
    return bool(getattr(step, "draws", True))


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
    n_missing = column.null_count()
    told = np.packbits(column.is_null().to_numpy()).data if n_missing else _none_missing(column)
    whole = dtype.is_integer() and dtype not in (pl.UInt64, pl.Int128, pl.UInt128)
    if dtype.is_float() or whole:
        numbers = column.cast(pl.Int64 if whole else pl.Float64)
        numbers = numbers.fill_null(0) if n_missing else numbers
        width = _narrowest(numbers) if whole and len(column) >= MANY else None
        # Numbers without gaps are read where they are, without a copy.
        cells = np.ascontiguousarray(numbers if width is None else numbers.cast(width)).data
        return [told, cells] if width is None else [told, str(width).encode(), cells]
    if dtype == pl.Object:
        return [told]
    texts = _texts(column).fill_null("")
    return [told, texts.str.len_bytes().to_numpy().tobytes(), texts.str.join("").item().encode()]


def _narrowest(numbers: pl.Series) -> pl.DataType:
    """The smallest type that holds whole numbers, whatever type they came in."""
    low, high = int(cast("int", numbers.min())), int(cast("int", numbers.max()))
    bits = max(low.bit_length() if low >= 0 else (~low).bit_length(), high.bit_length()) + 1
    return next(kind for size, kind in WIDTHS if bits <= size)


def _none_missing(column: pl.Series) -> bytes:
    return bytes((len(column) + 7) // 8)


def _texts(column: pl.Series) -> pl.Series:
    if column.dtype == pl.Binary:
        return column.bin.encode("hex")
    if column.dtype.is_nested():
        lines = column.to_frame().write_ndjson().splitlines()
        return pl.Series(column.name, lines, dtype=pl.String)
    if column.dtype == pl.Duration or n_unwritable(column):
        return column.to_physical().cast(pl.String)
    return column.cast(pl.String)
