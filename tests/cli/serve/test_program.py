"""The owner's commands, as they are typed."""

from __future__ import annotations

import json

import pytest

from tests.cli.serve.cases import ADD
from tests.cli.serve.conftest import Shell


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
