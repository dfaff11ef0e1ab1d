from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from microveil.errors import FileError, InputError
from microveil.service.running import Address, is_loopback
from tests.postgresql import free_port
from tests.service.places import Place


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


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_service_stops_within_seconds_and_says_so(place: Place, number: int) -> None:
    port = free_port()
    command = [sys.executable, "-m", "microveil", "serve", "--port", str(port)]
    with subprocess.Popen(  # noqa: S603  our own program
        [*command, "--home", str(place.home.folder)], stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        assert "listening" in process.stderr.readline()
        while True:
            try:
                held = socket.create_connection(("127.0.0.1", port), timeout=5)
                break
            except ConnectionRefusedError:
                time.sleep(0.05)
        with held:
            key = place.keys["ann"]
            head = "POST /v1/data/survey/query HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n"
            held.sendall(f"{head}authorization: Bearer {key}\r\n\r\n{{".encode())
            time.sleep(0.2)
            started = time.monotonic()
            process.send_signal(number)
            said = process.stderr.read()
            assert process.wait() == 0
            assert time.monotonic() - started < 15
    assert "nothing was written" not in said
    assert '"event": "stopped"' in said
    assert all(json.loads(line) for line in said.splitlines())


def test_a_port_in_use_is_named(place: Place) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        command = [sys.executable, "-m", "microveil", "serve", "--port", str(port)]
        done = subprocess.run(  # noqa: S603  our own program
            [*command, "--home", str(place.home.folder)],
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert f"cannot listen on 127.0.0.1, port {port}" in done.stderr
