"""What pipelines ask for: dry runs, records, logs, progress without a terminal."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from tests.cli.cases import KEY
from tests.cli.conftest import Cli


def test_a_dry_run_does_everything_but_the_writing(cli: Cli, recipe: Path, data: Path) -> None:
    before = sorted(data.parent.iterdir())
    result = cli("run", recipe, data, "--dry-run", "--json")
    assert result.code == 0, result.err
    plain = json.loads(result.out)
    assert (plain["dry_run"], plain["holds"], plain["written"]) == (True, True, [])
    assert sorted(data.parent.iterdir()) == before


@pytest.mark.parametrize("parts", ["--in-parts", "--whole"])
def test_a_dry_run_leaves_an_old_file_alone(
    cli: Cli, data: Path, tmp_path: Path, parts: str
) -> None:
    out, recipe = tmp_path / "out.csv", tmp_path / "rows.yaml"
    out.write_text("old", encoding="utf-8")
    recipe.write_text("{steps: [{method: drop, columns: [name]}], undeclared: keep}", "utf-8")
    result = cli("run", recipe, data, "--dry-run", "--out", out, parts)
    assert result.code == 0, result.err
    assert "Nothing was written" in result.out
    assert out.read_text(encoding="utf-8") == "old"


def test_a_dry_run_of_a_broken_promise_exits_3(cli: Cli, recipe: Path, data: Path) -> None:
    assert cli("run", recipe, data, "--dry-run", "--set", "require.0.k=400").code == 3


def test_a_run_needs_a_target_unless_it_is_dry(cli: Cli, recipe: Path, data: Path) -> None:
    result = cli("run", recipe, data)
    assert result.code == 2
    assert "--out" in result.err


def test_a_record_tells_what_ran_on_what_and_no_secret(
    cli: Cli, recipe: Path, data: Path, tmp_path: Path, patients: pl.DataFrame
) -> None:
    record = tmp_path / "record.json"
    seed = 8_731_942_555_103
    result = cli(
        "run", recipe, data, "--out", tmp_path / "o.csv", "--record", record, "--seed", str(seed)
    )
    assert result.code == 0, result.err
    text = record.read_text(encoding="utf-8")
    plain = json.loads(text)
    assert plain["exit_code"] == 0
    assert plain["checks"][0]["holds"]
    assert len(plain["recipe"]["sha256"]) == len(plain["input"]["sha256"]) == 64
    assert plain["peak_memory_bytes"] > 2**20
    names = [phase["name"] for phase in plain["phases"]]
    steps = ["drop", "generalize", "generalize", "suppress_records"]
    assert names == ["reading", *steps, "checks", "writing", "attacks"]
    assert len(plain["seed_fingerprint"]) == 16
    assert str(seed) not in text
    assert not any(name in text for name in patients["name"])


def test_the_seeds_fingerprint_compares_runs_of_one_recipe_on_one_input_only(
    cli: Cli, recipe: Path, data: Path, tmp_path: Path
) -> None:
    def fingerprint(source: Path, seed: int) -> str:
        record = tmp_path / "record.json"
        cli("run", recipe, source, "--dry-run", "--record", record, "--seed", str(seed))
        return str(json.loads(record.read_text(encoding="utf-8"))["seed_fingerprint"])

    other = tmp_path / "other.csv"
    pl.read_csv(data).reverse().write_csv(other)
    assert fingerprint(data, 1) == fingerprint(data, 1) != fingerprint(data, 2)
    assert fingerprint(other, 1) != fingerprint(data, 1)


@pytest.mark.parametrize(
    ("more", "code"),
    [(["--set", "require.0.k=400"], 3), (["--set", "steps.0.columns=[nobody]"], 2)],
)
def test_a_run_that_fails_is_recorded_too(
    cli: Cli, recipe: Path, data: Path, tmp_path: Path, more: list[str], code: int
) -> None:
    record = tmp_path / "record.json"
    result = cli("run", recipe, data, "--out", tmp_path / "o.csv", "--record", record, *more)
    assert result.code == code
    assert json.loads(record.read_text(encoding="utf-8"))["exit_code"] == code


def test_a_record_never_overwrites_an_input_or_a_release(
    cli: Cli, recipe: Path, data: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.csv"
    out.write_text("old", encoding="utf-8")
    before = data.read_bytes()
    assert cli("run", recipe, data, "--out", out, "--record", data).code == 2
    assert cli("run", recipe, data, "--out", out, "--record", out).code == 2
    assert data.read_bytes() == before
    assert out.read_text(encoding="utf-8") == "old"


def test_files_that_a_recipe_names_are_recorded_but_no_key(
    cli: Cli, data: Path, tmp_path: Path
) -> None:
    tmp_path.joinpath("sex.csv").write_text("f;*\nm;*\n", encoding="utf-8")
    tmp_path.joinpath("my.key").write_text(KEY, encoding="utf-8")
    recipe, record = tmp_path / "recipe.yaml", tmp_path / "record.json"
    recipe.write_text(
        "steps:\n"
        "  - {method: generalize, column: sex, hierarchy: sex.csv, level: 1}\n"
        f"  - {{method: pseudonymize, columns: [name], key_file: {tmp_path / 'my.key'}}}\n",
        encoding="utf-8",
    )
    result = cli("run", recipe, data, "--dry-run", "--record", record)
    assert result.code == 0, result.err
    text = record.read_text(encoding="utf-8")
    plain = json.loads(text)
    assert list(plain["recipe"]["files"]) == ["sex.csv"]
    assert len(plain["steps"][1]["key_fingerprint"]) == 16
    assert KEY not in text
    assert plain["steps"][1]["key_fingerprint"] in result.out
