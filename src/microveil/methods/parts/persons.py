"""Whose a row is, for steps that treat a person's rows alike."""

from __future__ import annotations

import hmac
from typing import cast

import numpy as np
import polars as pl

from microveil.arrays import Longs
from microveil.errors import ColumnError, InputError
from microveil.methods.parts.value_text import value_text
from microveil.tables import Table
from microveil.tables.codes import encode
from microveil.tables.door import refuse_nested
from microveil.texts import phrase


def person_column(table: Table, per: str | None, step: str) -> str:
    """The column that tells people apart: the one named, or the roles' entity."""
    name = per or table.roles.entity
    if name is None:
        raise InputError(
            "Step '{step}' needs to know whose a row is: name the column in `per`, or in "
            "roles.entity.",
            step=step,
        )
    table.require([name])
    refuse_nested(table.frame, (name,), phrase("Step '{step}'", step=step))
    return name


def person_texts(table: Table, name: str, step: str) -> pl.Series:
    """The id of each row's person as text, spelt alike whatever its type; none is missing.

    Each spelling is held once, however many rows a person has.
    """
    ids = table.frame[name]
    if n_missing := ids.null_count():
        raise ColumnError(
            "1 row has no person in column '{name}', which step '{step}' needs. Leave it out, "
            "or fill it in.",
            many="{n:,} rows have no person in column '{name}', which step '{step}' needs. Leave "
            "them out, or fill them in.",
            n=n_missing,
            name=name,
            step=step,
        )
    codes = encode(ids)
    example = np.zeros(codes.radix, dtype=np.int64)
    example[codes.values] = np.arange(len(ids))
    occurs = np.bincount(codes.values, minlength=codes.radix) > 0
    texts = value_text(ids.gather(example[occurs])).str.normalize("NFC")
    spelt = texts.cast(pl.Enum(texts.unique(maintain_order=True)))
    return spelt.gather((np.cumsum(occurs) - 1)[codes.values]).alias(name)


def keyed_numbers(persons: pl.Series, key: bytes) -> Longs:
    """A number below 2⁶² for each text, which only the holder of the key can reproduce.

    >>> len(set(keyed_numbers(pl.Series(["a", "b", "a"]), b"a key").tolist()))
    2
    """
    if not isinstance(persons.dtype, pl.Enum):
        persons = persons.cast(pl.Enum(persons.unique(maintain_order=True)))
    # Copying an initialised HMAC costs half of initialising a new one.
    start = hmac.new(key, digestmod="sha256")
    digests = bytearray()
    for text in cast("pl.Enum", persons.dtype).categories.to_list():
        one = start.copy()
        one.update(text.encode())
        digests += one.digest()[:8]
    numbers = (np.frombuffer(bytes(digests), dtype=">u8") >> np.uint64(2)).astype(np.int64)
    of_rows: Longs = numbers[persons.to_physical().to_numpy()]
    return of_rows
