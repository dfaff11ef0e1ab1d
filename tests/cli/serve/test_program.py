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


ADD = "add survey.parquet --owner-file survey.yaml"


def test_a_day_of_an_owner(shell: Shell) -> None:
    assert "Registered 'survey': budget ε = 10" in shell(ADD)
    given = shell("key ann --data survey --group health --expires 2099-01-31").strip()
    assert given.startswith("mv_")
    (listed,) = shell.json("keys")["keys"]
    assert listed["expires"].startswith("2099-01-31T23:59:59")
    assert given not in json.dumps(listed)
    shell("budget survey --analyst ann --epsilon 5/2")
    accounts = shell.json("budget survey")["accounts"]
    assert [one["cap"] for one in accounts] == [{"epsilon": "10"}, {"epsilon": "5/2"}]
    assert shell.json("data")["data"][0]["left"] == {"epsilon": "10"}
    seal = shell.json("audit")["seal"]
    shell(f"revoke {listed['id']}")
    assert shell.json("keys")["keys"][0]["revoked"]
    assert "is intact" in shell(f"audit --expect {seal}")
    shell("close survey")
    assert not shell.json("data")["data"][0]["open"]
    shell("upgrade")


def test_an_audit_that_fails_exits_with_3(shell: Shell) -> None:
    shell(ADD)
    import sqlite3

    with sqlite3.connect("microveil-service/ledger.db") as database:
        database.execute("UPDATE balances SET cap = '99'")
    assert "NOT intact" in shell("audit", code=3)
    assert "expected seal" in shell("audit --expect 00", code=3)


def test_a_name_is_not_taken_twice_by_accident(shell: Shell) -> None:
    shell(ADD)
    assert "--replace" in shell(ADD, code=2)
    shell(f"{ADD} --replace")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("keys", "There is no ledger"),
        ("audit", "There is no ledger"),
        ("add none.parquet --owner-file survey.yaml", "none.parquet"),
        ("add survey.parquet --owner-file none.yaml", "none.yaml"),
        ("--host 0.0.0.0", "unencrypted"),
        ("--host 0.0.0.0 --tls-cert a.pem", "both --tls-cert and --tls-key"),
    ],
)
def test_slips_are_told_in_one_sentence(shell: Shell, words: str, reason: str) -> None:
    assert reason in shell(words, code=2)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"service": {}}, "budget"),
        ({"service": None}, "Add the terms"),
        ({"service": {"budget": {"epsilon": 1}, "analyst_budget": {"rho": 1}}}, "same currency"),
        ({"service": {"budget": {"delta": 1}, "analyst_budget": {"epsilon": 1}}}, "either epsilon"),
        ({"columns": {"age": {"type": "integer"}}}, "'region' is not a column with keys"),
        ({"columns": {**OWNER["columns"], "agee": {"type": "integer"}}}, "agee"),
        ({"name": "no name!"}, "A name begins with a letter"),
    ],
)
def test_a_bad_owner_file_is_told_and_nothing_is_made(
    shell: Shell, change: dict[str, Any], reason: str
) -> None:
    Path("survey.yaml").write_text(yaml.safe_dump({**OWNER, **change}))
    assert reason in shell(ADD, code=2)
    assert shell("keys", code=2)


def test_a_missing_extra_is_told(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("microveil.cli.serve.options._NEEDED", ("no_such_package",))
    assert "pip install 'microveil[service]'" in shell("keys", code=2)


def test_a_key_for_what_is_not_there_is_refused(shell: Shell) -> None:
    shell(ADD)
    assert "Did you mean 'survey'" in shell("key ann --data surve", code=2)
    assert "letter" in shell("key 1ann --data survey", code=2)
    assert "--expires is a day" in shell("key ann --data survey --expires soon", code=2)
    shell("key ann --data survey --group health")
    assert "already in the group 'health'" in shell("key ann --data survey --group other", code=2)
    assert "no key with this id" in shell("revoke 123", code=2)
    assert "No analyst 'eve'" in shell("budget survey --analyst eve --epsilon 1", code=2)
    assert "currency" in shell("budget survey --rho 1", code=2)
