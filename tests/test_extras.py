"""A package that is not installed is named with the extra that brings it."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from microveil.extras import EXTRAS, say_extra

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CORE = {"microveil", *(Requirement(one).name for one in PROJECT["dependencies"])}
TRANSITIVE = {"starlette"}
"""Packages that come with another one of their extra."""


def test_each_package_is_in_its_extra() -> None:
    modules = packages_distributions()
    for module, extra in EXTRAS.items():
        listed = {Requirement(one).name for one in PROJECT["optional-dependencies"][extra]}
        owners = {canonicalize_name(one) for one in modules.get(module, [])}
        assert module in TRANSITIVE or not owners or listed & owners, module


def test_every_package_of_an_extra_has_its_sentence() -> None:
    modules = packages_distributions()
    owners = {canonicalize_name(one) for module in EXTRAS for one in modules.get(module, [])}
    installed = {canonicalize_name(one) for listed in modules.values() for one in listed}
    for listed in PROJECT["optional-dependencies"].values():
        names = {Requirement(one).name for one in listed} - CORE
        assert names & installed <= owners


def test_other_packages_are_not_ours_to_name() -> None:
    assert say_extra("nosuch") == say_extra(None) == ""


WITHOUT = """
import sys
for name in {packages!r}: sys.modules[name] = None
sys.argv = {words!r}
from microveil.cli import main
main()
"""


@pytest.mark.parametrize(
    ("package", "words", "extra"),
    [
        ("nicegui", ["app", "--no-browser"], "web"),
        ("pyarrow", ["run", "r.yaml", "people.csv", "--out", "o.parquet"], "arrow"),
        ("duckdb", ["inspect", "duckdb:///x.duckdb?table=t"], "sql"),
        pytest.param(
            "psycopg",
            ["inspect", "postgresql://u@localhost/x?table=t"],
            "sql",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "highspy",
            ["table", "plan.yaml", "people.csv", "--out", "t.xlsx"],
            "tables",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "pyspark",
            ["run", "r.yaml", "people.csv", "--out", "o", "--engine", "spark"],
            "spark",
            marks=pytest.mark.slow,
        ),
        pytest.param("fastapi", ["serve"], "service", marks=pytest.mark.slow),
    ],
)
def test_a_command_without_its_extra_says_which_to_install(
    package: str, words: list[str], extra: str, tmp_path: Path
) -> None:
    (tmp_path / "people.csv").write_text("a,b\n" + "x,y\n" * 20)
    (tmp_path / "x.duckdb").write_bytes(b"x")
    (tmp_path / "plan.yaml").write_text("tables: [{by: [a, b]}]\n")
    (tmp_path / "r.yaml").write_text("undeclared: keep\n")
    # A plain install has no package of any extra: what one shares with another is missing, too.
    assert package in EXTRAS
    script = WITHOUT.format(packages=sorted(EXTRAS), words=["microveil", *words])
    done = subprocess.run(  # noqa: S603  our own command
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2, done.stderr
    assert f"microveil[{extra}]" in done.stderr
    assert "fault" not in done.stderr
