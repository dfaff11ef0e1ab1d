from __future__ import annotations

from tests.cli.conftest import Cli


def test_help_has_an_example_for_each_command_that_reads_data(cli: Cli) -> None:
    for command in ("risk", "run", "inspect", "compare"):
        assert "Example" in cli(command, "--help").out
