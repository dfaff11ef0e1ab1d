from __future__ import annotations

from microveil.methods.parts.fingerprints import LENGTH, fingerprint


def test_a_secret_has_one_fingerprint_for_each_purpose() -> None:
    one, other = fingerprint(b"a key", "pseudonyms"), fingerprint(b"a key", "seeds")
    assert one == fingerprint(b"a key", "pseudonyms")
    assert one != other
    assert one != fingerprint(b"another", "pseudonyms")
    assert len(bytes.fromhex(one)) == LENGTH


def test_purpose_and_secret_do_not_run_into_each_other() -> None:
    assert fingerprint(b"bc", "a") != fingerprint(b"c", "ab")
