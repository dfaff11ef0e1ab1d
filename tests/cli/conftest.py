from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import polars as pl
import pytest

from microveil.cli import main

RECIPE = """
roles: {identifiers: [name], quasi_identifiers: [age, sex, zip], sensitive: [disease]}
steps:
  - {method: drop, columns: [name]}
  - {method: generalize, column: age, hierarchy: {hierarchy: intervals, width: 20}, level: 1}
  - {method: generalize, column: zip, hierarchy: {hierarchy: digits}, level: 3}
  - {method: suppress_records, k: 2}
require:
  - {model: k_anonymity, k: 2}
"""


class Result(NamedTuple):
    code: int
    out: str
    err: str


Cli = Callable[..., Result]


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Cli:
    """Run the program in this process, as a pipeline would: without a terminal."""
    monkeypatch.setenv("COLUMNS", "200")

    def call(*arguments: str | Path) -> Result:
        monkeypatch.setattr(sys, "argv", ["microveil", *map(str, arguments)])
        capsys.readouterr()
        code = 0
        try:
            main()
        except SystemExit as end:
            code = int(end.code or 0)
        captured = capsys.readouterr()
        return Result(code, captured.out, captured.err)

    return call


@pytest.fixture
def data(tmp_path: Path, patients: pl.DataFrame) -> Path:
    path = tmp_path / "patients.csv"
    patients.write_csv(path)
    return path


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    path = tmp_path / "recipe.yaml"
    path.write_text(RECIPE, encoding="utf-8")
    return path
