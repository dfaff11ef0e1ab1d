from __future__ import annotations

from pathlib import Path

import pytest

from microveil.errors import FileError, InputError
from microveil.service.running import Address, is_loopback


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.5", "::", "example.org"])  # noqa: S104  to be refused
def test_nothing_crosses_a_network_unencrypted_by_accident(host: str, tmp_path: Path) -> None:
    assert not is_loopback(host)
    with pytest.raises(InputError, match="unencrypted"):
        Address(host).check()
    Address(host, plain_http=True).check()
    (tmp_path / "cert.pem").touch()
    (tmp_path / "key.pem").touch()
    with_tls = Address(host, 8000, tmp_path / "cert.pem", tmp_path / "key.pem")
    with_tls.check()
    assert with_tls.url.startswith("https://")


def test_this_machine_needs_no_certificate() -> None:
    for host in ("127.0.0.1", "localhost", "::1"):
        Address(host).check()
    assert Address().url == "http://127.0.0.1:8765"
    assert Address("::1", 80).url == "http://[::1]:80"


def test_a_certificate_needs_its_key_and_both_must_be_there(tmp_path: Path) -> None:
    (tmp_path / "cert.pem").touch()
    with pytest.raises(InputError, match="both"):
        Address(certificate=tmp_path / "cert.pem").check()
    with pytest.raises(FileError, match="no file"):
        Address(certificate=tmp_path / "cert.pem", private_key=tmp_path / "none.pem").check()
