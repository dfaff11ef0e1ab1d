from __future__ import annotations

import json
from pathlib import Path

import polars as pl

import microveil as mv
from tests.cli.conftest import Cli


def test_a_file_is_protected_with_a_recipe_to_review(cli: Cli, data: Path, tmp_path: Path) -> None:
    out, recipe = tmp_path / "released.csv", tmp_path / "recipe.yaml"
    roles = ("-q", "age,sex,zip", "-s", "disease")
    result = cli("protect", data, "-k", "2", *roles, "-o", out, "--recipe", recipe)
    assert result.code == 0, result.err
    released = pl.read_csv(out)
    assert "name" not in released.columns
    keys = [name for name in ("age", "sex", "zip") if name in released.columns]
    assert released.height == 0 or released.group_by(keys).len()["len"].min() >= 2  # type: ignore[operator]  # a number
    assert mv.Recipe.read(recipe).require == (mv.KAnonymity(k=2),)
    assert "2-anonymity holds" in result.out


def test_json_is_one_object(cli: Cli, data: Path, tmp_path: Path) -> None:
    out = tmp_path / "released.csv"
    result = cli("protect", data, "-k", "2", "-q", "sex", "-o", out, "--json")
    assert json.loads(result.out)["checks"][0]["holds"] is True


def test_a_k_of_one_protects_nobody(cli: Cli, data: Path, tmp_path: Path) -> None:
    result = cli("protect", data, "-k", "1", "-o", tmp_path / "released.csv")
    assert result.code == 2
    assert not (tmp_path / "released.csv").exists()
