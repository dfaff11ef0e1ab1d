"""A run that is told to end leaves nothing behind."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest

RECIPE = """
roles: {quasi_identifiers: [age]}
steps: [{method: round, columns: [age], base: 10}]
undeclared: drop
"""


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_run_that_is_ended_leaves_nothing(number: int, code: int, tmp_path: Path) -> None:
    pl.DataFrame({"age": [30, 40] * 400_000}).write_csv(tmp_path / "in.csv")
    (tmp_path / "recipe.yaml").write_text(RECIPE, encoding="utf-8")
    before = {path.name for path in tmp_path.iterdir()}
    command = [sys.executable, "-m", "microveil", "run", "recipe.yaml", "in.csv"]
    with subprocess.Popen(  # noqa: S603  our own program
        [*command, "--out", "out.csv", "--in-parts"], cwd=tmp_path, stderr=subprocess.PIPE
    ) as run:
        while run.poll() is None and not list(tmp_path.glob(".out.csv.*")):
            time.sleep(0.01)
        run.send_signal(number)
        assert run.stderr is not None
        told = run.stderr.read().decode()
    # A fast machine may have been done.
    if run.returncode:
        assert run.returncode == code
        assert number == signal.SIGINT or "nothing was written" in told
        assert {path.name for path in tmp_path.iterdir()} == before
