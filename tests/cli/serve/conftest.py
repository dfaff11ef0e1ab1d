"""The owner's commands, as they are typed."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from microveil.cli import main
from tests.service.places import OWNER, survey


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("MICROVEIL_SERVICE_HOME", "MICROVEIL_LEDGER", "MICROVEIL_SERVICE_SECRET"):
        monkeypatch.delenv(name, raising=False)
    survey().write_parquet("survey.parquet")
    Path("survey.yaml").write_text(yaml.safe_dump(OWNER, sort_keys=False))
    return tmp_path


class Shell:
    """Types commands."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch, self._capsys = monkeypatch, capsys

    def __call__(self, words: str, code: int = 0) -> str:
        self._monkeypatch.setattr(sys, "argv", ["microveil", "serve", *words.split()])
        with pytest.raises(SystemExit) as end:
            main()
        shown = self._capsys.readouterr()
        assert (end.value.code or 0) == code, shown.err
        return shown.out if code == 0 else shown.out + shown.err

    def json(self, words: str) -> Any:
        return json.loads(self(f"{words} --json"))


@pytest.fixture
def shell(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Shell:
    assert folder.is_dir()
    return Shell(monkeypatch, capsys)
