from __future__ import annotations

from pathlib import Path

import microveil as mv
from tests.cli.conftest import Cli


def test_an_example_is_written_with_its_recipe(cli: Cli, tmp_path: Path) -> None:
    out, recipe = tmp_path / "views.xlsx", tmp_path / "views.yaml"
    assert cli("example", "ad_views", "--rows", "50", "--out", out, "--recipe", recipe).code == 0
    assert mv.read(out).height == 50
    assert mv.Recipe.read(recipe).steps
