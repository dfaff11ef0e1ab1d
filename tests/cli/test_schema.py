from __future__ import annotations

import json
from pathlib import Path

import pytest

from microveil.files.columns.expected.schema import ExpectedSchema
from tests.cli.conftest import RECIPE, Cli


def test_schema_is_a_json_schema(cli: Cli) -> None:
    plain = json.loads(cli("schema").out)
    assert plain["$schema"].startswith("https://json-schema.org/")
    assert set(plain["properties"]) >= {"roles", "steps", "require"}
    tables = json.loads(cli("schema", "--tables").out)
    assert "tables" in tables["properties"]
    assert "links" in json.loads(cli("schema", "--linked").out)["properties"]


@pytest.fixture
def schema(cli: Cli, data: Path, tmp_path: Path) -> Path:
    (tmp_path / "recipe.yaml").write_text(RECIPE, encoding="utf-8")
    told = cli("schema", "infer", data, "--recipe", tmp_path / "recipe.yaml", "-o", tmp_path / "s")
    assert told.code == 0, told.err
    assert "Written:" in told.out
    return tmp_path / "s"


def test_a_schema_is_inferred_and_expected(
    cli: Cli, data: Path, tmp_path: Path, schema: Path
) -> None:
    assert "zip" in ExpectedSchema.read(schema).columns
    recipe, out = tmp_path / "recipe.yaml", tmp_path / "o.csv"
    run: tuple[str | Path, ...] = ("run", "--out", out)
    for command in (("check",), run):
        assert cli(*command, recipe, data, "--expect", schema).code == 0
    schema.write_text(schema.read_text().replace("zip:", "zipp:"), encoding="utf-8")
    for command in (("check",), run):
        told = cli(*command, recipe, data, "--expect", schema)
        assert told.code == 2
        assert "Did you mean 'zip'" in told.err


def test_without_a_target_it_is_printed(cli: Cli, data: Path) -> None:
    assert ExpectedSchema.parse(json.loads(cli("schema", "infer", data, "--json").out)).columns
    assert cli("schema", "infer", data).out.startswith("# What the data should look like")
