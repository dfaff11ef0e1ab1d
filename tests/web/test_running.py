"""The command that opens the app refuses what is not safe, in a sentence."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from microveil.cli import main
from microveil.cli.app import _password
from microveil.errors import FileError


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--host", "192.0.2.1"], "Give a password"),
        (["--tls-cert", "nowhere.pem"], "--tls-key"),
    ],
)
def test_what_is_not_safe_ends_with_one_sentence(
    options: list[str],
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.delenv("MICROVEIL_APP_PASSWORD", raising=False)
    monkeypatch.setattr("sys.argv", ["microveil", "app", "--no-browser", *options])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert said in capsys.readouterr().err


def test_a_port_that_is_taken_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        monkeypatch.setattr("sys.argv", ["microveil", "app", "--no-browser", "--port", port])
        with pytest.raises(SystemExit) as ended:
            main()
    assert ended.value.code == 2
    assert "another --port" in capsys.readouterr().err


def test_the_password_comes_from_a_file_or_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MICROVEIL_APP_PASSWORD", "of the environment")
    assert _password(None) == "of the environment"
    path = tmp_path / "password"
    path.write_text("of a file\n", encoding="utf-8")
    assert _password(path) == "of a file"
    with pytest.raises(FileError, match="cannot read"):
        _password(tmp_path / "nowhere")
