"""A record tells an auditor what ran on what, and how it ended; no cell, seed or key."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import microveil as mv
from microveil.app.file_runs.record import peak_memory, recipe_sha256, record_of
from microveil.app.file_runs.watch import Watch
from microveil.app.file_runs.whole import run_whole
from microveil.files.reading_back import sha256
from tests.app.file_runs.cases import job_of

ROLES = mv.Roles(identifiers=["name"], quasi_identifiers=["sex"])
RECIPE = mv.Recipe(roles=ROLES, steps=[mv.Drop(columns=["name"])], require=[mv.KAnonymity(k=2)])
STARTED = datetime.now(UTC)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "in.csv"
    path.write_text("name,sex\nAda,f\nSECRET,f\n", encoding="utf-8")
    return path


def recorded(recipe: mv.Recipe, source: Path, ended: Any, **more: Any) -> dict[str, Any]:
    job = job_of(recipe, source, source.with_name("out.csv"), **more)
    return record_of(job, Watch(), STARTED, ended)


def test_a_run_is_told_with_its_files_and_checks(source: Path) -> None:
    job = job_of(RECIPE, source, source.with_name("out.csv"))
    told = record_of(job, job.progress, STARTED, run_whole(job))
    assert (told["exit_code"], told["holds"], told["n_records"]) == (0, True, 2)
    assert told["input"] == {"name": "in.csv", "sha256": sha256(source), "n_bytes": 24}
    assert told["written"][0]["sha256"] == sha256(source.with_name("out.csv"))
    assert told["steps"] == [{"method": "drop"}]
    assert {"reading", "writing"} <= {phase["name"] for phase in told["phases"]}
    assert "SECRET" not in json.dumps(told)


def test_a_broken_requirement_has_an_exit_code_of_its_own(source: Path) -> None:
    job = job_of(RECIPE.with_values({"require.0.k": 3}), source, source.with_name("out.csv"))
    told = record_of(job, Watch(), STARTED, run_whole(job))
    assert (told["exit_code"], told["holds"], told["written"]) == (3, False, [])


def test_only_our_own_errors_are_quoted(source: Path) -> None:
    ours = recorded(RECIPE, source, mv.InputError("Say what."))
    assert ours["error"] == {"kind": "InputError", "message": "Say what."}
    assert ours["exit_code"] == mv.InputError("").exit_code
    foreign = recorded(RECIPE, source, ValueError("cell SECRET"))
    assert foreign["error"] == {"kind": "ValueError", "message": None}
    assert foreign["exit_code"] == 1


def test_seeds_are_compared_within_one_recipe_and_input(source: Path) -> None:
    def seen(seed: int | None, recipe: mv.Recipe = RECIPE) -> Any:
        return recorded(recipe, source, mv.InputError(""), seed=seed)["seed_fingerprint"]

    assert seen(None) is None
    assert seen(77) == seen(77) != seen(78)
    assert seen(77, RECIPE.with_values({"require.0.k": 3})) != seen(77)
    assert "77" not in seen(77)[:2]


def test_a_database_has_no_checksum() -> None:
    job = job_of(RECIPE, "sqlite:///people.db?table=t", "out.csv")
    told = record_of(job, Watch(), STARTED, mv.InputError(""))["input"]
    assert told["sha256"] is told["n_bytes"] is None
    assert "people.db" in told["name"]


def test_files_that_a_recipe_names_are_told_with_their_checksums(
    source: Path, tmp_path: Path
) -> None:
    tree, key = tmp_path / "sex.csv", tmp_path / "key.txt"
    tree.write_text("f;*\nm;*\n", encoding="utf-8")
    key.write_text("a key that nobody may see, long enough", encoding="utf-8")
    recipe = mv.Recipe(
        roles=ROLES,
        steps=[
            mv.Generalize(column="sex", hierarchy=str(tree), level=1),
            mv.Pseudonymize(columns=["name"], key_file=str(key)),
        ],
    )
    told = recorded(recipe, source, mv.InputError(""))["recipe"]
    assert told["files"] == {str(tree): sha256(tree)}
    assert told["sha256"] == recipe_sha256(recipe) != recipe_sha256(RECIPE)


def test_peak_memory_is_that_of_a_python_with_its_libraries() -> None:
    found = peak_memory()
    assert found is None or 10 * 2**20 < found < 2**40
