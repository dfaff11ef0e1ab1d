from __future__ import annotations

from pathlib import Path

from typer.testing import CliRunner

from microveil.cli.program import program


def test_verify_says_whether_a_file_is_the_recorded_one(tmp_path: Path) -> None:
    recipe, source, out, record = (
        str(tmp_path / one) for one in ("r.yaml", "in.csv", "out.csv", "rec.json")
    )
    Path(recipe).write_text("{roles: {quasi_identifiers: [a]}}")
    Path(source).write_text("a\n1\n1\n")
    words = ["run", recipe, source, "--out", out, "--record", record]
    assert CliRunner().invoke(program, words).exit_code == 0
    done = CliRunner().invoke(program, ["verify", record, out])
    assert done.exit_code == 0
    assert "recorded file" in done.stdout
    done = CliRunner().invoke(program, ["verify", record, recipe])
    assert getattr(done.exception, "exit_code", done.exit_code) == 3
