"""Signatures of records with Ed25519 (RFC 8032)."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from microveil.errors import FileError, InputError, SecretError
from microveil.registry.chain import canonical

ALGORITHM = "Ed25519"


def sign_record(record: Mapping[str, Any], key_file: str | Path) -> dict[str, Any]:
    """The record with a signature over everything else in it."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    key = _private_key(Path(key_file))
    plain = {name: value for name, value in record.items() if name != "signature"}
    public = key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    signature = key.sign(canonical(plain).encode())
    return {
        **plain,
        "signature": {
            "algorithm": ALGORITHM,
            "public_key": base64.b64encode(public).decode("ascii"),
            "value": base64.b64encode(signature).decode("ascii"),
        },
    }


def is_signed_rightly(record: Mapping[str, Any], public_file: str | Path | None = None) -> bool:
    """Whether the signature fits the record, by its own public key or one that is given."""
    _need_cryptography()
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    told = record.get("signature") or {}
    plain = {name: value for name, value in record.items() if name != "signature"}
    try:
        raw = base64.b64decode(told["public_key"], validate=True)
        if public_file is not None and _public_bytes(Path(public_file)) != raw:
            return False
        value = base64.b64decode(told["value"], validate=True)
        Ed25519PublicKey.from_public_bytes(raw).verify(value, canonical(plain).encode())
    except (InvalidSignature, KeyError, TypeError, ValueError, binascii.Error):
        return False
    return True


def _private_key(path: Path) -> Any:
    _need_cryptography()
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    try:
        key = load_pem_private_key(path.read_bytes(), None)
    except OSError as error:
        raise SecretError(
            "{path} cannot be read ({reason}).", path=path, reason=str(error.strerror)
        ) from None
    except (ValueError, TypeError):
        key = None
    if not isinstance(key, Ed25519PrivateKey):
        raise SecretError(
            "{path} holds no Ed25519 key without a password. Make one: openssl genpkey "
            "-algorithm ed25519 -out record.pem",
            path=path,
        )
    return key


def _public_bytes(path: Path) -> bytes:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import (
        Encoding,
        PublicFormat,
        load_pem_public_key,
    )

    try:
        key = load_pem_public_key(path.read_bytes())
    except (OSError, ValueError):
        key = None
    if not isinstance(key, Ed25519PublicKey):
        raise FileError("{path} holds no Ed25519 public key (openssl pkey -pubout).", path=path)
    return key.public_bytes(Encoding.Raw, PublicFormat.Raw)


def _need_cryptography() -> None:
    try:
        import cryptography  # noqa: F401  only whether it is there
    except ImportError:
        raise InputError("Signatures need a library: pip install 'microveil[signing]'.") from None
