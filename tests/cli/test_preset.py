from __future__ import annotations

import json
from pathlib import Path

import microveil as mv
from tests.cli.conftest import Cli


def test_without_a_name_the_presets_are_listed(cli: Cli) -> None:
    assert set(json.loads(cli("preset", "--json").out)) == set(mv.presets())
    assert "hipaa_safe_harbor" in cli("preset").out


def test_a_preset_becomes_a_recipe_for_the_columns(cli: Cli, data: Path, tmp_path: Path) -> None:
    out = tmp_path / "recipe.yaml"
    printed = cli("preset", "hipaa_safe_harbor", data)
    assert cli("preset", "hipaa_safe_harbor", data, "--out", out).code == 0
    assert out.read_text(encoding="utf-8") == printed.out
    assert mv.Recipe.read(out).steps


def test_a_table_that_breaks_the_rule_exits_with_3(cli: Cli, data: Path) -> None:
    result = cli("preset", "hipaa_safe_harbor", data, "--check")
    assert result.code == 3
    assert "name" in result.err


def test_a_preset_needs_a_table(cli: Cli) -> None:
    result = cli("preset", "hipaa_safe_harbor")
    assert result.code == 2
    assert "Say which table" in result.err
