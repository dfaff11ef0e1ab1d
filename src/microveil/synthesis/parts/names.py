"""Columns that identify people: refused or, if they hold pseudonyms, redrawn."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

import numpy as np
import polars as pl

from microveil.errors import ColumnError

LEAST_NAMES = 20
"""A column with fewer distinct texts is categorical, however few records there are."""
NAME_SHARE = 0.5
"""Share of the records above which distinct texts identify people."""
LOWER_BASE32 = r"^[a-z2-7]{16,52}$"
UUID = r"^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$"
NUMBERS = (10**17, 10**18)
LETTERS = np.frombuffer(b"abcdefghijklmnopqrstuvwxyz234567", dtype=np.uint8)


def names_people(series: pl.Series) -> bool:
    """Whether a text column has a unique value in most records.

    >>> names_people(pl.Series([f"person {i}" for i in range(30)]))
    True
    """
    if not isinstance(series.dtype, pl.String | pl.Categorical | pl.Enum):
        return False
    n_distinct = series.drop_nulls().n_unique()
    n_present = len(series) - series.null_count()
    return n_distinct > max(LEAST_NAMES, NAME_SHARE * n_present)


def pseudonym_columns(frame: pl.DataFrame, identifiers: Sequence[str]) -> tuple[str, ...]:
    """Columns of pseudonyms, as made by the step ``pseudonymize``; other names are refused."""
    naming = [name for name in frame.columns if name in identifiers or names_people(frame[name])]
    refused = [name for name in naming if _style(frame[name]) is None]
    if refused:
        raise ColumnError(
            "Column {refused:quoted} identifies people: almost every record has its own "
            "value, or the roles say so. Drop or pseudonymize it before synthesis.",
            refused=refused,
        )
    return tuple(naming)


def fresh_pseudonyms(like: pl.Series, n: int, rng: np.random.Generator) -> pl.Series:
    """Distinct new pseudonyms that look like those of a column and belong to nobody."""
    style = _style(like)
    if style == "number":
        drawn = rng.choice(9 * 10**8, n, replace=False) if n < 10**8 else np.arange(n)
        return pl.Series(like.name, NUMBERS[0] + drawn * 10**9 + rng.integers(0, 10**9, n))
    if style == "uuid":
        texts = [_uuid(rng.bytes(16)) for _ in range(n)]
    else:
        length = int(like.drop_nulls().str.len_chars().max())  # type: ignore[arg-type]  # has values
        letters = LETTERS[rng.integers(0, len(LETTERS), (n, length))]
        texts = np.ascontiguousarray(letters).view(f"S{length}")[:, 0].astype(str).tolist()
    return pl.Series(like.name, texts, dtype=pl.String)


def _style(series: pl.Series) -> str | None:
    present = series.drop_nulls()
    if not len(present):
        return None
    if series.dtype == pl.Int64:
        return "number" if bool(present.is_between(*NUMBERS, closed="left").all()) else None
    if series.dtype != pl.String:
        return None
    if bool(present.str.contains(LOWER_BASE32).all()):
        return "token"
    return "uuid" if bool(present.str.contains(UUID).all()) else None


def _uuid(drawn: bytes) -> str:
    bits = int.from_bytes(drawn)
    bits = bits & ~(0xF << 76) | 8 << 76
    bits = bits & ~(0x3 << 62) | 0x2 << 62
    return str(uuid.UUID(int=bits))
