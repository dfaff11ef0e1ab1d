"""Fingerprints of secrets: enough to tell whether two are the same, never the secret itself."""

from __future__ import annotations

import hashlib

LENGTH = 8
"""Bytes of a fingerprint: two keys share one by chance once in 2⁶⁴."""
_MADE: dict[bytes, str] = {}
"""Fingerprints made by this process."""


def fingerprint(secret: bytes, purpose: str) -> str:
    """A secret's fingerprint for one purpose, in hexadecimal.

    It is made by scrypt (Percival 2009), so that every guess costs some hundredths of a second
    and 16 MiB. A long random secret cannot be found from it; a short one can.

    >>> fingerprint(b"a key", "pseudonyms") == fingerprint(b"a key", "pseudonyms")
    True
    """
    salt = b"microveil " + purpose.encode()
    # A run in parts asks for the same key again and again. Its hash stands for it in memory.
    known = hashlib.sha256(salt + b"\0" + secret).digest()
    if known not in _MADE:
        made = hashlib.scrypt(secret, salt=salt, n=2**14, r=8, p=1, dklen=LENGTH)
        _MADE[known] = made.hex()
    return _MADE[known]
