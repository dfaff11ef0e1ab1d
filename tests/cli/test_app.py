from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Cli

pytest.importorskip("nicegui")


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the app would be served with; nothing listens."""
    given: dict[str, Any] = {}

    def serve(address: Any, **how: Any) -> None:
        given.update(how, address=address)
        how["tell"]("http://127.0.0.1:1/x")

    monkeypatch.setattr("microveil.web.running.serve", serve)
    return given


def test_it_listens_on_this_machine_alone_unless_told(cli: Cli, served: dict[str, Any]) -> None:
    result = cli("app", "--no-browser", "--port", "0", "--max-upload", "3")
    assert result.code == 0, result.err
    assert served["address"].host == "127.0.0.1"
    assert (served["open_browser"], served["largest_upload"]) == (False, 3 * 1024**2)
    assert "http://127.0.0.1:1/x" in result.out


def test_a_password_comes_from_a_file_or_the_environment(
    cli: Cli, served: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cli("app")
    assert served["password"] is None
    monkeypatch.setenv("MICROVEIL_APP_PASSWORD", "from the environment")
    cli("app")
    assert served["password"] == "from the environment"
    path = tmp_path / "password"
    path.write_text("from a file\n", encoding="utf-8")
    cli("app", "--password-file", path)
    assert served["password"] == "from a file"


def test_a_password_file_that_is_not_there_is_named(cli: Cli, served: dict[str, Any]) -> None:
    result = cli("app", "--password-file", "nowhere")
    assert result.code == 2
    assert "nowhere: cannot read the password" in result.err
    assert not served
