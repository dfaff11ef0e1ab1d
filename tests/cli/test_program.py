from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

import microveil as mv
from tests.cli.cases import SECRET
from tests.cli.conftest import Cli


def test_without_a_terminal_and_a_command_help_is_printed(cli: Cli) -> None:
    result = cli()
    assert result.code == 0
    assert "Usage" in result.out


def test_the_version_is_told(cli: Cli) -> None:
    assert cli("--version").out == f"microveil {mv.__version__}\n"


def test_importing_the_package_loads_nothing_heavy() -> None:
    heavy = (
        "numba",
        "pandas",
        "pyarrow",
        "scipy",
        "sklearn",
        "opendp",
        "pyspark",
        "nicegui",
        "altair",
    )
    code = (
        f"import microveil.cli, microveil.app, sys; print([m for m in {heavy} if m in sys.modules])"
    )
    out = subprocess.run(  # noqa: S603  our own interpreter
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    assert out.strip() == "[]"


def test_a_fault_of_ours_shows_no_traceback_and_no_cell(
    cli: Cli, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> pl.DataFrame:
        raise RuntimeError(SECRET)

    monkeypatch.setattr("microveil.files.read", broken)
    result = cli("risk", data, "-q", "age")
    assert result.code == 1
    assert SECRET not in result.err
    assert "please report" in result.err


def test_an_unknown_command_exits_2(cli: Cli) -> None:
    assert cli("rissk").code == 2
