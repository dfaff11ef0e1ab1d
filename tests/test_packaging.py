"""What goes with the package: manual page, bill of materials, licences, containers, conda."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PERMISSIVE = re.compile(
    r"MIT|BSD|Apache|ISC|PSF|Python|Unlicense|zlib|HPND|0BSD|CNRI|MPL|Mozilla|CC0|OFL|BSL|Zlib",
    re.IGNORECASE,
)
"""Licences that ask for no more than a notice; of the MPL, only changed files must be published."""
COPYLEFT = re.compile(r"\bA?GPL|\bLGPL|Lesser General|General Public", re.IGNORECASE)
SAID = {"psycopg": "LGPL", "psycopg-binary": "LGPL"}
"""Packages under another licence that an extra brings, and that docs/files.md names."""


def run_tool(name: str, *words: str) -> str:
    command = [sys.executable, str(ROOT / "tools" / name), *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_manual_page_has_every_command() -> None:
    run_tool("man-page", "--check")


@pytest.mark.parametrize("extras", [[], sorted(PROJECT["optional-dependencies"])])
def test_what_is_installed_at_run_time_is_under_permissive_licences(extras: list[str]) -> None:
    bill = json.loads(run_tool("sbom", *extras))
    assert {"polars", "numpy"} <= {one["name"] for one in bill["components"]}
    for one in bill["components"]:
        said = one["licenses"][0]["license"]["name"]
        if one["name"] in SAID:
            assert extras, f"{one['name']} is not permissive, and part of the core"
        else:
            choice = re.split(r";| OR ", said)  # a list of licences is one to choose from
            free = [
                part for part in choice if PERMISSIVE.search(part) and not COPYLEFT.search(part)
            ]
            assert free, f"{one['name']}: {said}"


def test_the_page_on_files_says_which_driver_is_not_permissive() -> None:
    assert "LGPL" in (ROOT / "docs/files.md").read_text(encoding="utf-8")


def test_the_bill_names_what_each_package_needs() -> None:
    bill: dict[str, Any] = json.loads(run_tool("sbom"))
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.5")
    needs = {one["ref"]: one["dependsOn"] for one in bill["dependencies"]}
    assert "pydantic-core" in needs["pydantic"]
    assert "pydantic" in needs["microveil"]
    assert "scikit-learn" not in needs


def test_the_recipe_for_conda_needs_what_the_package_needs() -> None:
    recipe = yaml.safe_load((ROOT / "packaging/conda.yaml").read_text(encoding="utf-8"))
    run = {one.replace(" ", "") for one in recipe["requirements"]["run"]}
    assert run == {*PROJECT["dependencies"], f"python{PROJECT['requires-python']}"}
    assert recipe["context"]["version"] == PROJECT["version"]


def test_the_citation_names_this_version() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert (cited["version"], cited["license"]) == (PROJECT["version"], PROJECT["license"])


def test_the_containerfile_keeps_the_rules_of_its_linters() -> None:
    lines = (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()
    words = [line.split()[0] for line in lines if line and line[0].isalpha()]
    images = [line.split()[1] for line in lines if line.startswith("FROM")]
    assert all(re.search(r":[\w.-]+$", image) and "latest" not in image for image in images)
    assert not {"ADD", "MAINTAINER"} & set(words)
    assert words[-1] == "CMD"
    assert lines[[line.startswith("USER") for line in lines].index(True)] != "USER root"
    assert not [line for line in lines if "sudo" in line or "cd /" in line]
    assert not [line for line in lines if "pip install" in line and "--no-cache-dir" not in line]
    for line in lines:
        if line.startswith(("ENTRYPOINT", "CMD")):
            assert json.loads(line.partition(" ")[2])


def test_the_composed_services_run_commands_that_exist() -> None:
    from typer.main import get_command

    from microveil.cli.program import program

    commands: Any = get_command(program)
    services = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))["services"]
    for name, service in services.items():
        first, *words = service["command"]
        known = {
            opt
            for one in commands.commands[first].params
            for opt in (*one.opts, *one.secondary_opts)
        }
        assert {word for word in words if word.startswith("--")} <= known, name
        assert service["read_only"]
        assert all(port.startswith("127.0.0.1:") for port in service["ports"])


def test_forms_for_issues_ask_for_no_real_data() -> None:
    for form in (ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml"):
        assert yaml.safe_load(form.read_text(encoding="utf-8"))
    assert "Never post real data" in (ROOT / ".github/ISSUE_TEMPLATE/bug.yml").read_text()
