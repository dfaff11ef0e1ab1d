from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from microveil.cli.commands import COMMANDS, LONG
from tests.cli.conftest import Cli

PROBE = """
import sys
from microveil.cli import main
import atexit, os
def tell():
    import polars
    from microveil.cores import n_threads
    os.write(2, f"threads {n_threads()} {polars.thread_pool_size()}".encode())
atexit.register(tell)
sys.argv = ["microveil", *sys.argv[1:]]
main()
"""


def test_every_long_command_takes_threads(cli: Cli) -> None:
    assert set(COMMANDS) >= LONG >= {"run", "risk", "compare", "explore", "protect", "lattice"}
    for name in sorted(LONG):
        assert "--threads" in cli(name, "--help").out, name


@pytest.mark.parametrize("given", ["option", "variable"])
def test_a_command_and_its_libraries_use_what_was_asked_for(data: Path, given: str) -> None:
    words = [sys.executable, "-c", PROBE, "risk", str(data), "-q", "age"]
    environment = {**os.environ, "COLUMNS": "100"}
    if given == "option":
        words += ["--threads", "3"]
    else:
        environment["MICROVEIL_THREADS"] = "3"
    done = subprocess.run(  # noqa: S603  our own program
        words, capture_output=True, text=True, check=True, env=environment
    )
    assert "threads 3 3" in done.stderr


def test_no_thread_is_no_work(cli: Cli, data: Path) -> None:
    assert cli("risk", data, "-q", "age", "--threads", "0").code == 2
