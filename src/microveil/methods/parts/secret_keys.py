"""Secret keys: read from the environment or a file, never shown."""

from __future__ import annotations

import hmac
import os
from pathlib import Path
from typing import Annotated

from pydantic import Field

from microveil.errors import SecretError, system_reason
from microveil.methods.parts.fingerprints import fingerprint
from microveil.texts import phrase

MIN_KEY_BYTES = 16
REMEDY = phrase("Create one with `openssl rand -hex 32` and store it apart from the data")
Fingerprint = Annotated[str | None, Field(pattern=r"^[0-9a-f]{16}$")]
"""A key's fingerprint in a recipe."""


def read_key(variable: str, file: Path | None = None, pinned: str | None = None) -> bytes:
    """Read the key's bytes from a file if one is named, otherwise from an environment variable.

    Trailing line ends in a file are ignored, so that the same key in a file and in the environment
    is the same key. A key whose fingerprint is not the ``pinned`` one is refused.
    """
    if file is None:
        key = os.environ.get(variable, "").encode(errors="surrogateescape")
        where = phrase("environment variable '{variable}'", variable=variable)
        remedy = phrase(
            "{remedy}: export {variable}=…, or name a key_file.", remedy=REMEDY, variable=variable
        )
    else:
        key = _file_bytes(file)
        where = phrase("key file '{file}'", file=file)
        remedy = phrase("{remedy}: openssl rand -hex 32 > {file}", remedy=REMEDY, file=file)
    if not key:
        raise SecretError("There is no key in the {where}. {remedy}", where=where, remedy=remedy)
    if len(key) < MIN_KEY_BYTES:
        raise SecretError(
            "The key in the {where} is too short: at least {min_key_bytes} bytes are needed. "
            "{remedy}",
            where=where,
            min_key_bytes=MIN_KEY_BYTES,
            remedy=remedy,
        )
    if pinned is not None and key_fingerprint(key) != pinned:
        raise SecretError(
            "The key in the {where} is not the one that the recipe names: its fingerprint is "
            "{found}, not {pinned}. Use that key, or name this one in `key_fingerprint`.",
            where=where,
            found=key_fingerprint(key),
            pinned=pinned,
        )
    return key


def _file_bytes(file: Path) -> bytes:
    try:
        return _expand_home(file).read_bytes().rstrip(b"\r\n")
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise SecretError(
            "The key file '{file}' cannot be read ({reason}).",
            file=file,
            reason=system_reason(error),
        ) from None


def _expand_home(file: Path) -> Path:
    try:
        return file.expanduser()
    except RuntimeError:  # a `~` that is no home directory is literal
        return file


def key_for(key: bytes, domain: str | None) -> bytes:
    """The key itself, or one derived from it for a domain."""
    if domain is None:
        return key
    return hmac.digest(key, b"microveil domain\0" + domain.encode(), "sha256")


def key_fingerprint(key: bytes) -> str:
    """What tells one key from another without giving either away."""
    return fingerprint(key, "pseudonym key")
