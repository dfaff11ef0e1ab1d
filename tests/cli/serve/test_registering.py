"""The owner's commands, as they are typed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cli.serve.cases import ADD
from tests.cli.serve.conftest import Shell
from tests.service.places import OWNER


def test_a_name_is_not_taken_twice_by_accident(shell: Shell) -> None:
    shell(ADD)
    assert "--replace" in shell(ADD, code=2)
    shell(f"{ADD} --replace")


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
