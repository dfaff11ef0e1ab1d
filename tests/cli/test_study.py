from __future__ import annotations

import json
from pathlib import Path

from microveil.studies import STUDIES
from tests.cli.conftest import Cli


def test_without_a_name_the_studies_are_listed(cli: Cli) -> None:
    plain = json.loads(cli("study", "--json").out)
    assert [each["name"] for each in plain["studies"]] == [each.name for each in STUDIES]
    assert "petersburg" in cli("study").out


def test_a_study_shows_each_published_cell_beside_ours(cli: Cli, tmp_path: Path) -> None:
    result = cli("study", "petersburg", "--quick", "--out", tmp_path)
    assert result.code == 0
    assert "5 = 5" in result.out
    assert (tmp_path / "petersburg.md").exists()
    assert (tmp_path / "petersburg_class_sizes.svg").exists()


def test_json_prints_one_object_with_every_cell(cli: Cli) -> None:
    plain = json.loads(cli("study", "petersburg", "--quick", "--json").out)
    assert plain["study"] == "petersburg"
    assert sum(plain["counts"].values()) == sum(len(e["cells"]) for e in plain["experiments"])


def test_a_misspelt_study_is_a_callers_mistake(cli: Cli) -> None:
    result = cli("study", "petersbrug")
    assert result.code == 2
    assert "Did you mean 'petersburg'?" in result.err
