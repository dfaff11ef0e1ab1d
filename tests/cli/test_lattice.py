from __future__ import annotations

import json
from pathlib import Path

import polars as pl

from tests.cli.conftest import Cli

SEARCHING = """
roles: {quasi_identifiers: [sex, age]}
steps:
  - {method: optimal_generalization, hierarchies: {age: {hierarchy: intervals, width: [10, 50]}}}
require: [{model: k_anonymity, k: 2}]
"""


def test_a_search_is_printed_walked_and_another_node_released(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "recipe.yaml").write_text(SEARCHING, encoding="utf-8")
    frame = pl.DataFrame({"sex": list("ffmm"), "age": [31, 32, 45, 47]})
    frame.write_csv(tmp_path / "people.csv")
    out = tmp_path / "out.csv"
    best = cli("run", tmp_path / "recipe.yaml", tmp_path / "people.csv", "--out", out)
    assert "chose sex 0 (as it is), age 1 (width 10)" in best.out
    assert "no other solution costs less" in best.out
    listed = cli("lattice", tmp_path / "recipe.yaml", tmp_path / "people.csv", "--json")
    nodes = json.loads(listed.out)["nodes"]
    assert nodes[1]["titles"] == {"sex": "as it is", "age": "width 50"}
    cli("run", tmp_path / "recipe.yaml", tmp_path / "people.csv", "--out", out, "--node", "2")
    assert pl.read_csv(out)["age"].unique().to_list() == ["[0, 50)"]
    around = cli("lattice", tmp_path / "recipe.yaml", tmp_path / "people.csv", "--around", "age=1")
    assert "width 50" in around.out
    by_levels = ("--out", out, "--node", "0,2")
    third = cli("run", tmp_path / "recipe.yaml", tmp_path / "people.csv", *by_levels)
    assert "chose sex 0 (as it is), age 2 (width 50)" in third.out
