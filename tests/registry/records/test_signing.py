from __future__ import annotations

from pathlib import Path

import pytest

import microveil as mv
from microveil.registry.records.signing import is_signed_rightly, sign_record

serialization = pytest.importorskip("cryptography.hazmat.primitives.serialization")


def keys(folder: Path, name: str) -> tuple[Path, Path]:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    key, pem = Ed25519PrivateKey.generate(), serialization.Encoding.PEM
    private, public = folder / f"{name}.pem", folder / f"{name}.pub"
    form = serialization.PrivateFormat.PKCS8
    private.write_bytes(key.private_bytes(pem, form, serialization.NoEncryption()))
    told = serialization.PublicFormat.SubjectPublicKeyInfo
    public.write_bytes(key.public_key().public_bytes(pem, told))
    return private, public


def test_a_signature_fits_its_record_and_its_key_alone(tmp_path: Path) -> None:
    private, public = keys(tmp_path, "one")
    _, other = keys(tmp_path, "other")
    signed = sign_record({"a": 1, "b": ["x"]}, private)
    assert is_signed_rightly(signed)
    assert is_signed_rightly(signed, public)
    assert not is_signed_rightly(signed, other)
    assert not is_signed_rightly({**signed, "a": 2})
    assert not is_signed_rightly({"a": 1})
    assert sign_record(signed, private) == signed


def test_what_is_no_key_is_said(tmp_path: Path) -> None:
    (tmp_path / "bad.pem").write_text("nothing")
    for name in ("bad.pem", "none.pem"):
        with pytest.raises(mv.MicroveilError):
            sign_record({}, tmp_path / name)
    signed = sign_record({}, keys(tmp_path, "one")[0])
    with pytest.raises(mv.FileError, match="public key"):
        is_signed_rightly(signed, tmp_path / "bad.pem")
