from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

import microveil as mv
from tests.cli.conftest import Cli


def test_a_recipe_makes_a_release(cli: Cli, recipe: Path, data: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    result = cli("run", recipe, data, "--out", out)
    assert result.code == 0, result.err
    released = mv.read(out)
    assert "name" not in released.columns
    assert released.group_by("age", "sex", "zip").len()["len"].min() == 2
    assert "2-anonymity holds" in result.out


@pytest.mark.parametrize("written", ["--out", "--report", "--record", "--metadata"])
@pytest.mark.parametrize("read", ["--study", "--registry-key"])
def test_what_a_command_reads_is_never_overwritten(
    cli: Cli, recipe: Path, data: Path, tmp_path: Path, read: str, written: str
) -> None:
    kept = tmp_path / "kept.json"
    kept.write_text("title: x", encoding="utf-8")
    (tmp_path / "link.json").symlink_to(kept)
    out = [] if written == "--out" else ["--out", tmp_path / "out.csv"]
    result = cli("run", recipe, data, *out, written, tmp_path / "link.json", read, kept)
    assert result.code != 0
    assert "an input is never overwritten" in result.err
    assert kept.read_text(encoding="utf-8") == "title: x"


def test_json_is_one_object_and_nothing_else(
    cli: Cli, recipe: Path, data: Path, tmp_path: Path
) -> None:
    result = cli("run", recipe, data, "--out", tmp_path / "out.csv", "--json")
    plain = json.loads(result.out)
    assert result.err == ""
    assert plain["checks"][0] == {
        "model": "k_anonymity",
        "required": 2,
        "achieved": 2,
        "holds": True,
        "n_broken": 0,
    }
    wanted = {"checks", "n_records", "n_suppressed", "facts", "risk", "utility", "seconds"}
    assert wanted <= set(plain)
    assert plain["n_records"] + plain["n_suppressed"] == 6
    assert "cell_changes" in plain["utility"]


def test_a_broken_requirement_writes_nothing_and_exits_3(
    cli: Cli, recipe: Path, data: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.csv"
    out.write_text("old", encoding="utf-8")
    result = cli("run", recipe, data, "--out", out, "--set", "require.0.k=4", "--json")
    assert result.code == 3
    assert out.read_text(encoding="utf-8") == "old"
    assert json.loads(result.out)["checks"][0]["holds"] is False
    assert json.loads(result.out)["error"]["message"].startswith("4-anonymity does not hold")
    assert "4-anonymity does not hold" in result.err
    assert "No data were written" in result.err


def test_rows_keep_their_order_when_asked(cli: Cli, tmp_path: Path) -> None:
    source, out, recipe = tmp_path / "in.csv", tmp_path / "out.csv", tmp_path / "recipe.yaml"
    pl.DataFrame({"n": range(300)}).write_csv(source)
    recipe.write_text("roles: {insensitive: [n]}", encoding="utf-8")
    assert cli("run", recipe, source, "--out", out, "--keep-order").code == 0
    assert pl.read_csv(out)["n"].to_list() == list(range(300))
    assert cli("run", recipe, source, "--out", out).code == 0
    assert pl.read_csv(out)["n"].to_list() != list(range(300))


def test_parts_of_a_table_are_written_beside_it(cli: Cli, data: Path, tmp_path: Path) -> None:
    recipe = tmp_path / "recipe.yaml"
    recipe.write_text(
        "steps: [{method: decompose, groups: {people: [age, sex], cases: [disease]}}]",
        encoding="utf-8",
    )
    result = cli("run", recipe, data, "--out", tmp_path / "out.csv", "--json")
    assert result.code == 0, result.err
    people, cases = mv.read(tmp_path / "out.csv"), mv.read(tmp_path / "out.cases.csv")
    assert people.join(cases, on="link_id").height == 6
    assert len(json.loads(result.out)["written"]) == 2


def test_a_mapping_goes_where_it_is_told_and_nowhere_else(
    cli: Cli, data: Path, tmp_path: Path
) -> None:
    recipe = tmp_path / "recipe.yaml"
    recipe.write_text(
        "undeclared: keep\nsteps: [{method: pseudonymize, columns: [name], mapping: true}]",
        encoding="utf-8",
    )
    out = tmp_path / "out.csv"
    refused = cli("run", recipe, data, "--out", out)
    assert refused.code == 2
    assert "--mapping" in refused.err
    assert not out.exists()
    assert cli("run", recipe, data, "--out", out, "--mapping", tmp_path / "map.csv").code == 0
    assert "Ada" not in out.read_text(encoding="utf-8")
    assert "Ada" in (tmp_path / "map.csv").read_text(encoding="utf-8")


def test_a_spark_master_that_does_not_answer_is_refused_in_words(
    cli: Cli, recipe: Path, data: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        master = f"spark://127.0.0.1:{taken.getsockname()[1]}"
    result = cli("run", recipe, data, "--out", out, "--engine", "spark", "--master", master)
    assert result.code == 2
    assert "does not answer" in result.err
    assert not out.exists()
    assert cli("run", recipe, data, "--out", out, "--master", master).code == 2


def test_a_report_is_written_on_request(cli: Cli, recipe: Path, data: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    assert cli("run", recipe, data, "--out", tmp_path / "o.csv", "--report", report).code == 0
    assert "2-anonymity" in report.read_text(encoding="utf-8")


ROW_WISE = """
roles: {identifiers: [name], quasi_identifiers: [sex], insensitive: [age, zip, disease]}
steps:
  - {method: drop, columns: [name]}
  - {method: mask, columns: [zip], keep_start: 2}
  - {method: generalize, column: age, hierarchy: {hierarchy: intervals, width: 20}, level: 1}
require: [{model: k_anonymity, k: 3}]
"""


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".jsonl"])
def test_a_run_in_parts_gives_what_a_whole_run_gives(
    cli: Cli, patients: pl.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    monkeypatch.setattr("microveil.planning.files.PART", 2)
    recipe, source = tmp_path / "recipe.yaml", tmp_path / f"in{suffix}"
    recipe.write_text(ROW_WISE, encoding="utf-8")
    from microveil.files import write

    write(patients, source, keep_order=True)
    parts, whole = tmp_path / f"parts{suffix}", tmp_path / f"whole{suffix}"
    first = cli("run", recipe, source, "--out", parts, "--in-parts", "--keep-order", "--json")
    second = cli("run", recipe, source, "--out", whole, "--whole", "--keep-order", "--json")
    assert mv.read(parts).equals(mv.read(whole))
    one, other = json.loads(first.out), json.loads(second.out)
    assert one["in_parts"]
    assert not other["in_parts"]
    assert one["checks"] == other["checks"]
    assert one["risk"] == other["risk"]
    assert one["utility"]["cell_changes"] == pytest.approx(other["utility"]["cell_changes"])
    shuffled = tmp_path / f"shuffled{suffix}"
    cli("run", recipe, source, "--out", shuffled, "--in-parts")
    everything = ["age", "sex", "zip", "disease"]
    assert mv.read(shuffled).sort(everything).equals(mv.read(whole).sort(everything))


def test_a_broken_requirement_of_a_run_in_parts_writes_nothing(
    cli: Cli, data: Path, tmp_path: Path
) -> None:
    recipe = tmp_path / "recipe.yaml"
    recipe.write_text(ROW_WISE.replace("k: 3", "k: 4"), encoding="utf-8")
    result = cli("run", recipe, data, "--out", tmp_path / "out.csv", "--in-parts", "--json")
    assert result.code == 3
    assert sorted(path.name for path in tmp_path.iterdir()) == ["patients.csv", "recipe.yaml"]
    assert json.loads(result.out)["written"] == []


def test_a_recipe_that_needs_the_whole_table_is_planned_and_done_in_parts(
    cli: Cli, recipe: Path, data: Path, tmp_path: Path
) -> None:
    parts, whole = tmp_path / "parts.csv", tmp_path / "whole.csv"
    assert cli("run", recipe, data, "--out", parts, "--in-parts", "--keep-order").code == 0
    assert cli("run", recipe, data, "--out", whole, "--whole", "--keep-order").code == 0
    assert parts.read_text() == whole.read_text()


def test_the_price_is_told_and_nothing_is_done(
    cli: Cli, recipe: Path, data: Path, tmp_path: Path
) -> None:
    result = cli("run", recipe, data, "--out", tmp_path / "out.csv", "--price")
    assert result.code == 0
    assert "from counts" in result.out
    assert not (tmp_path / "out.csv").exists()
    told = cli("run", recipe, data, "--out", tmp_path / "out.csv", "--price", "--json")
    assert json.loads(told.out)["fits"] is True


def test_labels_of_a_statistics_file_survive_a_run(
    cli: Cli, patients: pl.DataFrame, tmp_path: Path
) -> None:
    from microveil.files import Labels, read_labels, write

    source, out, recipe = tmp_path / "in.sav", tmp_path / "out.sav", tmp_path / "recipe.yaml"
    coded = patients.with_columns(sex=pl.col("sex").replace_strict({"f": 1, "m": 2}))
    labels = Labels(columns={"sex": "Sex of the patient"}, values={"sex": {1: "f", 2: "m"}})
    write(coded, source, labels=labels)
    recipe.write_text(
        "undeclared: keep\nsteps: [{method: drop, columns: [name]}]", encoding="utf-8"
    )
    assert cli("run", recipe, source, "--out", out).code == 0
    assert read_labels(out).columns["sex"] == "Sex of the patient"
    assert read_labels(out).values["sex"] == {1: "f", 2: "m"}


def test_a_killed_run_leaves_the_old_file_or_none(recipe: Path, tmp_path: Path) -> None:
    source, out = tmp_path / "in.csv", tmp_path / "out.csv"
    n = 400_000
    pl.DataFrame(
        {
            "name": ["x"] * n,
            "age": [30] * n,
            "sex": ["f"] * n,
            "zip": ["08003"] * n,
            "disease": range(n),
        }
    ).write_csv(source)
    out.write_text("old", encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "microveil",
        "run",
        str(recipe),
        str(source),
        "--out",
        str(out),
    ]
    for wait in (0.4, 0.8, 1.2):
        with subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as job:  # noqa: S603  our own program
            try:
                job.wait(wait)
            except subprocess.TimeoutExpired:
                job.kill()
        text = out.read_text(encoding="utf-8")
        assert text == "old" or text.count("\n") == n + 1


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_one_may_not_write_to_is_named(
    cli: Cli, recipe: Path, data: Path, tmp_path: Path
) -> None:
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o500)
    result = cli("run", recipe, data, "--out", locked / "out.csv")
    assert result.code == 2
    assert "may not write" in result.err
