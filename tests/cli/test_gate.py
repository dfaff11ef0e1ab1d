from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest
import yaml
from typer.testing import CliRunner

from microveil.cli.program import program

EXAMPLES = Path(__file__).parents[2] / "examples" / "pipelines"


def test_the_gate_prints_one_object_and_ends_with_three(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MICROVEIL_REGISTRY_KEY", "x" * 32)
    (tmp_path / "r.yaml").write_text("{roles: {quasi_identifiers: [a]}}")
    for name, values in (("may", "xxyy"), ("june", "xxyyz")):
        pl.DataFrame({"a": list(values)}).write_csv(tmp_path / f"{name}.csv")
    recipe, base = str(tmp_path / "r.yaml"), str(tmp_path / "b.json")
    words = ["gate", recipe, str(tmp_path / "may.csv"), "--baseline", base]
    assert CliRunner().invoke(program, [*words, "--accept", base]).exit_code == 0
    words[2] = str(tmp_path / "june.csv")
    done = CliRunner().invoke(program, [*words, "--json"])
    assert getattr(done.exception, "exit_code", done.exit_code) == 3
    assert not json.loads(done.stdout)["holds"]


def test_the_examples_for_pipelines_are_whole() -> None:
    action = yaml.safe_load((EXAMPLES / "gate.yml").read_text())
    steps = action["jobs"]["release"]["steps"]
    assert any("microveil gate" in step.get("run", "") for step in steps)
    for name in ("airflow_gate.py", "dagster_gate.py"):
        text = (EXAMPLES / name).read_text()
        compile(text, name, "exec")
        assert "gate" in text
