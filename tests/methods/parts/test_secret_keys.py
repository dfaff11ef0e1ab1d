from __future__ import annotations

from pathlib import Path

import pytest

from microveil.errors import SecretError
from microveil.methods.parts.secret_keys import key_fingerprint, key_for, read_key

KEY = b"0123456789abcdef0123456789abcdef"


def test_a_key_is_the_same_from_a_file_and_from_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "key").write_bytes(KEY + b"\r\n")
    monkeypatch.setenv("A_KEY", KEY.decode())
    assert read_key("A_KEY") == read_key("NO_KEY", tmp_path / "key") == KEY


def test_a_key_that_is_missing_or_short_is_refused_and_not_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(SecretError, match="no key in the environment variable 'NO_KEY'"):
        read_key("NO_KEY")
    with pytest.raises(SecretError, match="no key in the key file"):
        read_key("NO_KEY", tmp_path / "nowhere")
    with pytest.raises(SecretError, match="cannot be read"):
        read_key("NO_KEY", tmp_path)
    monkeypatch.setenv("A_KEY", "zebra")
    with pytest.raises(SecretError, match="too short: at least 16 bytes") as refused:
        read_key("A_KEY")
    assert "zebra" not in str(refused.value)


def test_each_domain_has_a_key_of_its_own() -> None:
    keys = {key_for(KEY, domain) for domain in (None, "a", "b", "")}
    assert len(keys) == 4
    assert KEY in keys
    assert key_for(KEY, "a") == key_for(KEY, "a")


def test_a_fingerprint_gives_no_key_away() -> None:
    assert len(key_fingerprint(KEY)) == 16
    assert key_fingerprint(KEY) != key_fingerprint(KEY[::-1])


def test_a_pinned_key_is_the_only_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_KEY", KEY.decode())
    assert read_key("SOME_KEY", pinned=key_fingerprint(KEY)) == KEY
    with pytest.raises(SecretError, match=r"not the one that the recipe names.*not 0{16}\. Use"):
        read_key("SOME_KEY", pinned="0" * 16)
