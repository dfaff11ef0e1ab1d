"""Record keys: one number per record, from which the key of every cell follows."""

from __future__ import annotations

import hmac
from collections.abc import Sequence

import numpy as np
import polars as pl

from microveil.arrays import Longs
from microveil.errors import ColumnError
from microveil.tables.roles import check_columns
from microveil.tables.values import as_text
from microveil.tabulation.counted import KEY_SCALE


def read_record_keys(frame: pl.DataFrame, column: str) -> Longs:
    """The record keys of a column with numbers between 0 and 1."""
    check_columns([column], frame.columns)
    keys = frame[column]
    if not keys.dtype.is_numeric() or keys.null_count() or not keys.is_between(0, 1).all():
        msg = f"Column '{column}' must hold a number between 0 and 1 for every record."
        raise ColumnError(msg)
    return np.round(keys.cast(pl.Float64).to_numpy() * KEY_SCALE).astype(np.int64) % KEY_SCALE


def hash_record_keys(frame: pl.DataFrame, columns: Sequence[str], secret: bytes) -> Longs:
    """Record keys from a secret and the columns that identify a record: the same in every run."""
    check_columns(columns, frame.columns)
    texts = frame.select(
        pl.concat_str(
            [pl.Series(name, as_text(frame[name])).fill_null("") for name in columns],
            separator="\x1f",
        )
    ).to_series()
    return np.array(
        [
            int.from_bytes(hmac.digest(secret, text.encode(), "sha256")[:4], "big")
            for text in texts.to_list()
        ],
        dtype=np.int64,
    )
