from __future__ import annotations

from pathlib import Path

import polars as pl

from tests.cli.conftest import Cli


def test_a_fitted_recipe_is_run_on_new_data(cli: Cli, tmp_path: Path) -> None:
    text = "steps: [{method: group_rare, columns: [pet], min_count: 2}]\nundeclared: keep"
    (tmp_path / "recipe.yaml").write_text(text, encoding="utf-8")
    pl.DataFrame({"pet": ["cat", "cat", "owl"]}).write_csv(tmp_path / "first.csv")
    pl.DataFrame({"pet": ["cat", "dog"]}).write_csv(tmp_path / "next.csv")
    state, out = tmp_path / "state.yaml", tmp_path / "out.csv"
    first = cli("fit", tmp_path / "recipe.yaml", tmp_path / "first.csv", "--state", state)
    assert (first.code, "group_rare" in first.out) == (0, True)
    assert "owl" not in state.read_text(encoding="utf-8")
    cli("run", state, tmp_path / "next.csv", "--out", out, "--keep-order")
    assert pl.read_csv(out)["pet"].to_list() == ["cat", "other"]
