"""Fingerprints: which file exactly was registered."""

from __future__ import annotations

import hashlib
from pathlib import Path

from microveil.errors import FileError


def fingerprint(source: Path) -> str:
    """SHA-256 of the file's bytes."""
    try:
        with source.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise FileError(f"{source} cannot be read ({error.strerror}).") from None
