"""API keys: random, shown once, stored as keyed hashes, compared in constant time.

A key has 256 random bits, so it cannot be guessed; the hash is keyed with a secret that is not in
the database, so that whoever reads the database can neither use nor verify a key.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

Role = Literal["analyst", "owner"]
PREFIX = "mv"
_NOBODY = "0" * 64


@dataclass(frozen=True)
class Key:
    """What is stored about a key: everything but the key itself."""

    id: str
    """The public part of the key."""
    holder: str
    """The analyst's name, or the owner's."""
    role: Role
    scope: tuple[str, ...]
    """Data sets it gives access to."""
    hash: str
    created: str
    expires: str | None = None
    """When it expires, in UTC."""
    revoked: str | None = None

    def opens(self, data: str) -> bool:
        """Whether the key is for this data set."""
        return data in self.scope

    def is_alive(self, now: datetime) -> bool:
        """Whether it is neither revoked nor expired."""
        expires = datetime.fromisoformat(self.expires) if self.expires else None
        return self.revoked is None and (expires is None or now < expires)


def new_key(
    secret: bytes, holder: str, role: Role, scope: Collection[str], expires: datetime | None = None
) -> tuple[str, Key]:
    """The key as its holder sees it once, and what is stored of it."""
    name, random = secrets.token_hex(6), secrets.token_urlsafe(32)
    kept = Key(
        id=name,
        holder=holder,
        role=role,
        scope=tuple(sorted(scope)),
        hash=hash_key(secret, name, random),
        created=now().isoformat(timespec="seconds"),
        expires=None if expires is None else expires.astimezone(UTC).isoformat(timespec="seconds"),
    )
    return f"{PREFIX}_{name}_{random}", kept


def hash_key(secret: bytes, name: str, random: str) -> str:
    """HMAC-SHA-256 of a key under the service's secret."""
    return hmac.new(secret, f"api key\0{name}\0{random}".encode(), "sha256").hexdigest()


def find(secret: bytes, given: str, known: Mapping[str, Key]) -> Key | None:
    """The valid key that was given, or None; both take the same time."""
    prefix, _, rest = given.partition("_")
    name, _, random = rest.partition("_")
    kept = known.get(name)
    fits = hmac.compare_digest(hash_key(secret, name, random), kept.hash if kept else _NOBODY)
    alive = kept is not None and kept.is_alive(now())
    return kept if fits and alive and prefix == PREFIX else None


def now() -> datetime:
    """The current time in UTC."""
    return datetime.now(UTC)
