"""The hash chain: each entry of the ledger seals all entries before it."""

from __future__ import annotations

import hashlib
import hmac
import json
from dataclasses import dataclass
from typing import Any

START = "0" * 64
"""The seal before the first entry."""


@dataclass(frozen=True)
class Entry:
    """One line of the ledger."""

    seq: int
    at: str
    """Time in UTC."""
    kind: str
    body: str
    """Content as canonical JSON."""
    previous: str
    """The seal of the entry before."""
    hash: str
    """SHA-256 over everything above."""
    signature: str | None = None
    """HMAC-SHA-256 of the seal, if entries are signed with a key kept elsewhere."""

    @property
    def facts(self) -> dict[str, Any]:
        """The parsed body."""
        facts: dict[str, Any] = json.loads(self.body)
        return facts

    @property
    def sealed(self) -> bool:
        """Whether the seal matches the content."""
        return self.hash == seal(self.previous, self.seq, self.at, self.kind, self.body)


def canonical(plain: Any) -> str:
    """Canonical JSON: sorted keys, no spaces, no NaN.

    >>> canonical({"b": 1, "a": [True, None]})
    '{"a":[true,null],"b":1}'
    """
    return json.dumps(
        plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )


def digest(text: str) -> str:
    """SHA-256 of a text in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()


def seal(previous: str, seq: int, at: str, kind: str, body: str) -> str:
    """The hash of one entry; fields are delimited unambiguously."""
    return digest(canonical([previous, seq, at, kind, body]))


def sign(key: bytes, sealed: str) -> str:
    """The signature of a seal."""
    return hmac.new(key, f"ledger entry\0{sealed}".encode(), "sha256").hexdigest()


def next_entry(
    previous: Entry | None, at: str, kind: str, facts: dict[str, Any], key: bytes | None = None
) -> Entry:
    """The next entry of the chain, signed if there is a key."""
    seq = previous.seq + 1 if previous else 1
    before = previous.hash if previous else START
    body = canonical(facts)
    sealed = seal(before, seq, at, kind, body)
    return Entry(seq, at, kind, body, before, sealed, sign(key, sealed) if key else None)
