from __future__ import annotations

import json

import microveil as mv
from tests.cli.conftest import Cli


def test_list_names_every_registered_thing(cli: Cli) -> None:
    plain = json.loads(cli("list", "--json").out)
    assert {entry["name"] for entry in plain["methods"]} == set(mv.METHODS.classes)
    assert {entry["name"] for entry in plain["models"]} == set(mv.MODELS.classes)
    result = cli("list", "methods")
    assert result.code == 0
    assert "pseudonymize" in result.out


def test_one_kind_is_listed_alone(cli: Cli) -> None:
    plain = json.loads(cli("list", "models", "--json").out)
    assert set(plain) == {"models"}
    assert cli("list", "nonsense").code == 2
