"""Bad input: exit 2, one clear message, no traceback, no cell's value, nothing written."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from tests.cli.cases import SECRET
from tests.cli.conftest import Cli


def run(cli: Cli, recipe: str, data: bytes, folder: Path, name: str = "in.csv") -> str:
    """The message of a run that must fail as the caller's mistake."""
    (folder / "recipe.yaml").write_text(recipe, encoding="utf-8")
    (folder / name).write_bytes(data)
    result = cli("run", folder / "recipe.yaml", folder / name, "--out", folder / "out.csv")
    assert result.code == 2, result.out + result.err
    assert "Traceback" not in result.err
    assert SECRET not in result.out + result.err
    assert not (folder / "out.csv").exists()
    assert not list(folder.glob(".*partial"))
    return result.err


DATA = f"name,age\n{SECRET},30\nb,31\n".encode()


KEEP = "undeclared: keep\n"


@pytest.mark.parametrize(
    ("recipe", "data", "message"),
    [
        pytest.param(
            KEEP + "steps: [{method: drop, columns: [agee]}]",
            DATA,
            "steps.0.drop: No column 'agee' in the data. Did you mean 'age'?",
            id="unknown column",
        ),
        pytest.param(
            "roles: {quasi_identifiers: [aeg]}",
            DATA,
            "roles: No column 'aeg' in the data. Did you mean 'age'?",
            id="unknown role",
        ),
        pytest.param(
            "roles: {identifiers: [age], sensitive: [age]}",
            DATA,
            "Roles clash: column 'age'",
            id="role clash",
        ),
        pytest.param(KEEP, b"a,a\n1,2\n", "'a'", id="doubled column"),
        pytest.param(KEEP, b"", "is empty", id="empty file"),
        pytest.param(KEEP, f"a,b\n1,2\n3,{SECRET},5\n".encode(), "line 3", id="ragged"),
        pytest.param("steps: [", DATA, "Not valid YAML", id="bad yaml"),
        pytest.param(
            "steps: [{method: maks, columns: [age]}]",
            DATA,
            "Unknown method 'maks'. Did you mean 'mask'?",
            id="unknown method",
        ),
        pytest.param(
            "steps: [{method: drop, columns: [age], colour: red}]",
            DATA,
            "steps.0.drop.colour: Unknown field.",
            id="unknown field",
        ),
        pytest.param(
            "require: [{model: k_anonymity, k: 1}]",
            DATA,
            "require.0.k_anonymity.k: Input should be greater than or equal to 2",
            id="out of range",
        ),
        pytest.param(
            KEEP
            + "steps: [{method: generalize, column: name, level: 1, hierarchy: {tree: {x: [b]}}}]",
            DATA,
            "1 distinct value (1 record) is not in the hierarchy",
            id="hierarchy gap",
        ),
        pytest.param(
            KEEP + "steps: [{method: generalize, column: name, level: 1, hierarchy: none.csv}]",
            DATA,
            "none.csv",
            id="hierarchy file missing",
        ),
        pytest.param(
            KEEP + "steps: [{method: round, columns: [name], base: 10}]",
            DATA,
            "'name'",
            id="wrong kind of column",
        ),
        pytest.param("", DATA, "Columns 'name', 'age' are undeclared", id="undeclared"),
    ],
)
def test_bad_input_gets_one_clear_message(
    cli: Cli, tmp_path: Path, recipe: str, data: bytes, message: str
) -> None:
    err = run(cli, recipe or "steps: []", data, tmp_path)
    assert message in err


def test_all_problems_of_a_recipe_come_at_once(cli: Cli, tmp_path: Path) -> None:
    recipe = "steps: [{method: dorp}, {method: drop, colums: [a]}]\nrequire: [{model: k}]"
    err = run(cli, recipe, DATA, tmp_path)
    assert "recipe.yaml: 4 problems" in err


def test_wrong_encoding_is_named_with_the_remedy(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_bytes("größe\n1\n".encode("latin-1"))
    result = cli("risk", tmp_path / "in.csv", "-q", "x", "--encoding", "utf-8")
    assert result.code == 2
    assert "encoding" in result.err.lower()


def test_a_header_without_rows_is_an_empty_table(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("age,sex\n", encoding="utf-8")
    result = cli("risk", tmp_path / "in.csv", "-q", "age,sex", "--json")
    assert result.code == 0
    assert '"n_records": 0' in result.out


def test_a_file_that_is_not_there_is_named(cli: Cli, tmp_path: Path, data: Path) -> None:
    result = cli("risk", tmp_path / "patient.csv", "-q", "age")
    assert result.code == 2
    assert f"Did you mean '{data.name}'?" in result.err


def test_an_unknown_kind_of_output_is_refused_before_the_work(
    cli: Cli, recipe: Path, data: Path, tmp_path: Path
) -> None:
    result = cli("run", recipe, data, "--out", tmp_path / "out.docx")
    assert result.code == 2
    assert ".parquet" in result.err


def test_a_folder_as_output_is_refused(cli: Cli, recipe: Path, data: Path, tmp_path: Path) -> None:
    (tmp_path / "folder.csv").mkdir()
    result = cli("run", recipe, data, "--out", tmp_path / "folder.csv")
    assert result.code == 2
    assert "folder" in result.err


def test_a_full_disk_is_told_and_loses_nothing(
    cli: Cli, recipe: Path, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import errno

    out = tmp_path / "out.csv"
    out.write_text("old", encoding="utf-8")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("microveil.files.placing.os.fsync", full)
    result = cli("run", recipe, data, "--out", out)
    assert result.code == 2
    assert "the disk is full" in result.err
    assert out.read_text(encoding="utf-8") == "old"
    assert not list(tmp_path.glob(".*partial"))


def test_a_wrong_word_for_missing_is_refused(cli: Cli, data: Path) -> None:
    assert cli("risk", data, "-q", "age", "--missing", "joker").code == 2


def test_risk_without_quasi_identifiers_says_what_to_do(cli: Cli, data: Path) -> None:
    result = cli("risk", data)
    assert result.code == 2
    assert "-q age,sex,zip" in result.err


@pytest.mark.parametrize("command", ["run", "nosuchcommand"])
def test_a_usage_error_repeats_no_password(command: str, cli: Cli) -> None:
    address = "postgresql://ann:PASSWORD@host/db?table=t"
    result = cli(command, "r.yaml", "d.csv", address, address)
    assert result.code == 2
    assert "PASSWORD" not in result.out + result.err


def test_a_panic_of_a_library_shows_no_traceback(
    cli: Cli, recipe: Path, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def panic(*_: object, **__: object) -> None:
        raise pl.exceptions.PanicException(SECRET)

    monkeypatch.setattr("microveil.app.steps.Steps.finish", panic)
    result = cli("run", recipe, data, "--out", tmp_path / "out.csv")
    assert result.code == 1
    assert "Unexpected PanicException" in result.err
    assert SECRET not in result.out + result.err
