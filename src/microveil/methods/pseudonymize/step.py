"""Replace values by keyed pseudonyms."""

from __future__ import annotations

import hmac
import uuid
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import ClassVar, Literal

import numpy as np
import polars as pl
from pydantic import Field

from microveil.errors import InputError
from microveil.methods.parts.base import Method, Outcome
from microveil.methods.parts.columns import SomeColumns, usable_frame
from microveil.methods.parts.secret_keys import Fingerprint, key_fingerprint, key_for, read_key
from microveil.methods.parts.value_text import value_text
from microveil.tables import Table

Style = Literal["token", "number", "uuid"]

SMALLEST_NUMBER = 10**17
"""The smallest number of 18 digits, the most that always fit 64 bits."""
BASE32 = np.frombuffer(b"abcdefghijklmnopqrstuvwxyz234567", dtype=np.uint8)
BATCH = 100_000
"""Tokens made at a time, to bound the memory of their bits."""


class Pseudonymize(Method):
    """Replace each value by a pseudonym that only the holder of a secret key can reproduce.

    The pseudonym is the HMAC-SHA-256 of the value's text under the key: the same value has the same
    pseudonym in every column, file and type (5, 5.0 and "5" are one value; accented letters are
    equal however they are encoded). Missing stays missing. Time grows with the distinct values, two
    to four microseconds each.
    """

    public_parameters: ClassVar[tuple[str, ...]] = ("style", "length")
    secret_parameters: ClassVar[tuple[str, ...]] = ("key_env", "key_file", "key_fingerprint")
    method: Literal["pseudonymize"] = "pseudonymize"
    columns: SomeColumns = ()
    """Columns to replace; the same value in two of them gets the same pseudonym."""
    style: Style = "token"
    """Form of the pseudonyms: token (lower-case letters and digits), number (18 digits) or uuid
    (RFC 9562, version 8)."""
    length: int = Field(default=16, ge=16, le=52)
    """Number of characters of a token, five bits each."""
    key_env: str = Field(default="MICROVEIL_KEY", min_length=1)
    """Environment variable that holds the secret key."""
    key_file: Path | None = None
    """File that holds the secret key, instead of the environment variable."""
    key_fingerprint: Fingerprint = None
    """Fingerprint that the key must have (`microveil pseudonyms fingerprint`): a run with any other
    key is refused."""
    domain: str | None = None
    """Name of a use. Different names give different pseudonyms, so that two releases under one key
    cannot be joined on them."""
    mapping: bool = False
    """Whether to return a table of values and their pseudonyms, kept apart from the release."""

    @property
    def row_wise(self) -> bool:
        """Unless a mapping is collected, or short numbers are checked for collisions."""
        return not self.mapping and self.style != "number"

    @property
    def one_to_one(self) -> bool:
        """Always: two values never share a pseudonym."""
        return True

    @property
    def makes_mapping(self) -> bool:
        """Whether the mapping is requested."""
        return self.mapping

    def apply(self, table: Table, rng: np.random.Generator) -> Outcome:  # noqa: ARG002  nothing is left to chance
        """Replace the columns' values; the key is read here and not stored."""
        frame = usable_frame(table, self.columns, self.kind())
        secret = read_key(self.key_env, self.key_file, self.key_fingerprint)
        texts = [_text(frame[name]) for name in self.columns]
        originals = pl.concat([text.alias("original") for text in texts]).unique().drop_nulls()
        pairs = self._pairs(originals, secret)
        missing = {text.name: text.null_count() for text in texts}
        facts = {
            "n_changed": {name: table.height - n for name, n in missing.items()},
            "n_missing": missing,
            "key_fingerprint": key_fingerprint(secret),
        }
        after = table.with_columns([_replace(text, pairs) for text in texts])
        secrets = {f"{self.kind()}_mapping": _mapping(texts, pairs)} if self.mapping else {}
        return Outcome(after, facts, secrets=secrets)

    def pairs(self, values: pl.Series) -> pl.DataFrame:
        """Each distinct value's text (``original``) and its ``pseudonym``; the key is read here."""
        originals = _text(values).alias("original").unique().drop_nulls()
        return self._pairs(originals, read_key(self.key_env, self.key_file, self.key_fingerprint))

    def _pairs(self, originals: pl.Series, secret: bytes) -> pl.DataFrame:
        pseudonyms = self._pseudonyms(originals, key_for(secret, self.domain))
        _refuse_collisions(pseudonyms)
        return pl.DataFrame([originals, pseudonyms])

    def _pseudonyms(self, originals: pl.Series, key: bytes) -> pl.Series:
        digests = _digests(originals, key)
        if self.style == "number":
            numbers = [_number(digest) for digest in digests]
            return pl.Series("pseudonym", numbers, dtype=pl.Int64)
        if self.style == "uuid":
            texts = [_uuid(digest) for digest in digests]
            return pl.Series("pseudonym", texts, dtype=pl.String)
        batches = iter(lambda: list(islice(digests, BATCH)), [])
        tokens = [pl.Series(_tokens(batch, self.length), dtype=pl.String) for batch in batches]
        return pl.concat([pl.Series("pseudonym", [], dtype=pl.String), *tokens])


def _text(values: pl.Series) -> pl.Series:
    """What a pseudonym is made of: the value's text, accents in one encoding."""
    return value_text(values).str.normalize("NFC").alias(values.name)


def _digests(originals: pl.Series, key: bytes) -> Iterator[bytes]:
    # Copying an initialised HMAC costs half of initialising a new one.
    start = hmac.new(key, digestmod="sha256")
    for text in originals.to_list():
        one = start.copy()
        one.update(text.encode())
        yield one.digest()


def _tokens(digests: list[bytes], length: int) -> list[str]:
    """The first characters of each digest in base 32 (RFC 4648), lower case."""
    whole = np.frombuffer(b"".join(digests), dtype=np.uint8).reshape(len(digests), -1)
    # 52 characters take four bits more than a digest has; the standard pads with zeros.
    bits = np.pad(np.unpackbits(whole, axis=1), ((0, 0), (0, 4)))[:, : 5 * length]
    five = np.packbits(bits.reshape(len(digests), length, 5), axis=2)[:, :, 0] >> 3
    tokens: list[str] = BASE32[five].view(f"S{length}")[:, 0].astype(str).tolist()
    return tokens


def _number(digest: bytes) -> int:
    return SMALLEST_NUMBER + int.from_bytes(digest[:16]) % (9 * SMALLEST_NUMBER)


def _uuid(digest: bytes) -> str:
    # Version 8 leaves the bits to us; `uuid.UUID` sets versions up to 5 only.
    bits = int.from_bytes(digest[:16])
    bits = bits & ~(0xF << 76) | 8 << 76
    bits = bits & ~(0x3 << 62) | 0x2 << 62
    return str(uuid.UUID(int=bits))


def _refuse_collisions(pseudonyms: pl.Series) -> None:
    """Raise an error on collisions, because two people must never become one."""
    n_lost = len(pseudonyms) - pseudonyms.n_unique()
    if n_lost:
        raise InputError(
            "{n_lost} of {n_pseudonyms} distinct values would share a pseudonym with "
            "another. Use style 'token' or 'uuid', whose pseudonyms are longer.",
            n_lost=n_lost,
            n_pseudonyms=len(pseudonyms),
        )


def _replace(text: pl.Series, pairs: pl.DataFrame) -> pl.Series:
    column = text.alias("original").to_frame()
    joined = column.join(pairs, on="original", how="left", maintain_order="left")
    return joined["pseudonym"].alias(text.name)


def _mapping(texts: list[pl.Series], pairs: pl.DataFrame) -> pl.DataFrame:
    """Column, original and pseudonym of everything replaced, in an order of its own."""
    named = [
        text.alias("original")
        .to_frame()
        .unique()
        .select(pl.lit(text.name).alias("column"), "original")
        for text in texts
    ]
    return pl.concat(named).join(pairs, on="original").sort("column", "original")
