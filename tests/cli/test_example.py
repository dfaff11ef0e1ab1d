from __future__ import annotations

from pathlib import Path

import pytest

import microveil as mv
from tests.cli.conftest import Cli


def test_an_example_is_written_with_its_recipe(cli: Cli, tmp_path: Path) -> None:
    out, recipe = tmp_path / "views.xlsx", tmp_path / "views.yaml"
    assert cli("example", "ad_views", "--rows", "50", "--out", out, "--recipe", recipe).code == 0
    assert mv.read(out).height == 50
    assert mv.Recipe.read(recipe).steps


def test_a_clinical_database_comes_with_a_recipe_that_releases_it(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MICROVEIL_KEY", "a key of the tests, long enough to be one")
    folder, recipe = tmp_path / "omop", tmp_path / "omop.yaml"
    assert cli("example", "omop", "--rows", "300", "--out", folder, "--recipe", recipe).code == 0
    assert cli("run", recipe, folder, "--out", tmp_path / "out.sqlite", "--seed", "1").code == 0
    assert (tmp_path / "out.sqlite").exists()
