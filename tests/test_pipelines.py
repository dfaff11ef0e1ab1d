"""The examples of pipelines run as they stand, with the tools that run them where they are here."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar, Self

import pytest
import yaml

import microveil as mv
from microveil.cli.example import example
from microveil.cli.program import main
from microveil.files.columns.derived_columns import derived_names

ROOT = Path(__file__).parents[1]
PIPELINES = ROOT / "examples" / "pipelines"
KEY = "0123456789abcdef0123456789abcdef"


@pytest.fixture
def job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a job, with one delivery, in which `microveil` is a command."""
    shutil.copytree(PIPELINES, tmp_path, dirs_exist_ok=True)
    (tmp_path / "data").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    monkeypatch.setenv("MICROVEIL_REGISTRY_KEY", KEY)
    example("discharge", out=Path("data/month.csv"), rows=400)
    mv.Registry(tmp_path / "releases.db", create=True)
    return tmp_path


def call(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, capture_output=True, text=True, check=False)  # noqa: S603


def test_the_recipe_fits_its_schema_and_releases(job: Path) -> None:
    recipe = mv.Recipe.read(job / "recipe.yaml")
    release = mv.run(recipe, mv.read(job / "data/month.csv", reading=recipe.reading), seed=1)
    assert release.holds
    assert set(derived_names(recipe.reading.columns)) <= set(release.data.columns)


@pytest.mark.slow  # `make check` runs it
def test_make_releases_what_is_new_and_stops_at_what_is_not_expected(job: Path) -> None:
    done = call("make")
    assert done.returncode == 0, done.stderr
    assert json.loads((job / "released/month.json").read_text())["holds"]
    assert all(json.loads(line) for line in done.stderr.splitlines() if line.startswith("{"))
    again = call("make")
    assert "microveil" not in again.stdout
    text = (job / "data/month.csv").read_bytes().replace(b";alta;", b";fuga;", 1)
    (job / "data/month.csv").write_bytes(text)
    refused = call("make")
    assert refused.returncode != 0
    assert "'outcome' has 1 new category" in refused.stderr
    assert "fuga" not in refused.stderr


def test_cron_calls_make_at_a_time_that_exists() -> None:
    lines = [one for one in (PIPELINES / "crontab").read_text().splitlines() if one[:1].isdigit()]
    (line,) = lines
    *times, command = line.split(" ", 5)
    limits = [(0, 59), (0, 23), (1, 31), (1, 12), (0, 7)]
    for time, (low, high) in zip(times, limits, strict=True):
        assert time == "*" or low <= int(time) <= high
    assert re.fullmatch(r"cd \S+ && flock -n \S+ make --silent 2>> \S+", command)


@pytest.mark.slow  # `make check` runs it
def test_a_model_of_the_warehouse_goes_from_query_to_table(job: Path) -> None:
    recipe = mv.Recipe.read(job / "recipe.yaml")
    stays = mv.read(job / "data/month.csv", reading=recipe.reading)
    mv.write(stays.drop("age", "stay"), "sqlite:///warehouse.db?table=stays")
    text = (job / "models/stays.yaml").read_text()
    told = " ".join(line.strip("#\\ ") for line in text.splitlines() if line.startswith("#  "))
    words = shlex.split(told.replace("$(cat models/stays.sql)", "QUERY"))
    query = (job / "models/stays.sql").read_text()
    done = call(*[query if word == "QUERY" else word for word in words])
    assert done.returncode == 0, done.stderr
    released = mv.read("sqlite:///public.db?table=stays")
    assert {"age", "stay"} <= set(released.columns)
    assert not {"patient", "birth", "admission"} & set(released.columns)


class FakeDag:
    """Airflow's DAG, as far as the example uses it."""

    def __init__(self, name: str, **said: Any) -> None:
        self.name, self.said = name, said

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Leave."""


class FakeBash:
    """Airflow's BashOperator, which keeps its command and its place."""

    made: ClassVar[list[FakeBash]] = []

    def __init__(self, *, task_id: str, bash_command: str) -> None:
        self.task_id, self.command = task_id, bash_command
        FakeBash.made.append(self)

    def __rshift__(self, later: FakeBash) -> FakeBash:
        self.later = later
        return later


def load(name: str, modules: dict[str, dict[str, Any]], monkeypatch: pytest.MonkeyPatch) -> Any:
    """A file of a scheduler, run with stand-ins for the scheduler's own names."""
    for module, names in modules.items():
        made = ModuleType(module)
        made.__dict__.update(names)
        monkeypatch.setitem(sys.modules, module, made)
    space: dict[str, Any] = {"__name__": name}
    exec(compile((PIPELINES / name).read_text(), name, "exec"), space)  # noqa: S102  our own file
    return space


def run_here(command: str, job: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    """A command of an example, with the folders of this machine for those of a server."""
    here = command.replace("/srv/data", str(job / "data")).replace("/srv/releases", str(job))
    monkeypatch.setattr(sys, "argv", shlex.split(here))
    try:
        main()
    except SystemExit as end:
        return int(end.code or 0)
    return 0


def test_the_commands_of_the_airflow_dag_run_in_their_order(
    job: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    FakeBash.made.clear()
    modules: dict[str, dict[str, Any]] = {
        "airflow": {},
        "airflow.sdk": {"DAG": FakeDag},
        "airflow.providers.standard.operators.bash": {"BashOperator": FakeBash},
    }
    load("airflow_gate.py", modules, monkeypatch)
    gate, run = FakeBash.made
    assert gate.later is run
    assert [run_here(one.command, job, monkeypatch) for one in (gate, run)] == [0, 0]
    assert (job / "released.csv").exists()


class FakeFailure(Exception):  # noqa: N818  Dagster's own name
    """Dagster's way to fail."""


def test_the_dagster_asset_is_made_once_the_gate_lets_it_pass(
    job: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    space = load(
        "dagster_gate.py",
        {"dagster": {"asset": lambda made: made, "Failure": FakeFailure}},
        monkeypatch,
    )
    registry = mv.Registry
    space["SOURCE"] = str(job / "data/month.csv")
    monkeypatch.setattr(mv, "Registry", lambda _: registry(job / "releases.db"))
    space["released"]()
    assert (job / "released.csv").exists()


def test_the_job_of_github_actions_names_commands_that_run(
    job: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MICROVEIL_REGISTRY", str(job / "releases.db"))
    plan = yaml.safe_load((PIPELINES / "gate.yml").read_text())
    steps = [one["run"] for one in plan["jobs"]["release"]["steps"] if "run" in one]
    for one in steps:
        code = run_here(one.partition(" > ")[0], job, monkeypatch)
        assert code == 0, capsys.readouterr().err
