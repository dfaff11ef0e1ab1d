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
from packaging.requirements import Requirement

from microveil.cli.commands import COMMANDS, GROUPS

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PERMISSIVE = re.compile(
    r"(MIT(-0|-CMU)?|(\d-clause )?(0?BSD|BSD)([- ]\d-Clause)?|Apache([- ]2\.0)?|ISC|PSF-2\.0|Zlib"
    r"|CC0-1\.0|MPL-2\.0|Public Domain)( Licen[cs]e)?( WITH LLVM-exception)?",
    re.IGNORECASE,
)
"""Licences that ask for no more than a notice; of the MPL, only changed files must be published."""
SAID = {"psycopg": "LGPL", "psycopg-binary": "LGPL"}
"""Packages under another licence that an extra brings, and that README and docs/files.md name."""
ABSENT = {"presidio-analyzer"}
"""Needed by the extra `redact` alone, which `all` leaves out: a language model comes with it."""


def is_permissive(said: str) -> bool:
    """Whether every licence of a sum is permissive, and one of each choice.

    A list of classifiers is a choice; so is what stands beside OR.
    """
    every = re.split(r" AND ", said) if ";" not in said else [said]
    return all(
        any(PERMISSIVE.fullmatch(one.strip(" ()")) for one in re.split(r";| OR ", part))
        for part in every
    )


def run_tool(name: str, *words: str) -> str:
    command = [sys.executable, str(ROOT / "tools" / name), *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_manual_page_has_every_command() -> None:
    page = (ROOT / "packaging/microveil.1").read_text(encoding="utf-8")
    listed = set(re.findall(r"^\.SS microveil ([\w-]+)", page, re.MULTILINE))
    assert listed == {*COMMANDS, *GROUPS}, "run tools/man-page"


@pytest.mark.parametrize("extras", [[], sorted(PROJECT["optional-dependencies"])])
def test_what_is_installed_at_run_time_is_under_permissive_licences(extras: list[str]) -> None:
    bill = json.loads(run_tool("sbom", *extras))
    licences = {one["name"]: one["licenses"][0]["license"]["name"] for one in bill["components"]}
    asked = [
        *PROJECT["dependencies"],
        *(line for extra in extras for line in PROJECT["optional-dependencies"][extra]),
    ]
    assert {named(line) for line in asked} - {"microveil"} - ABSENT <= set(licences)
    others = {name for name, said in licences.items() if not is_permissive(said)}
    assert others == (set(SAID) if extras else set()), {name: licences[name] for name in others}


def named(requirement: str) -> str:
    """The package that a requirement asks for, as indexes compare names."""
    return re.sub(r"[-_.]+", "-", Requirement(requirement).name).lower()


@pytest.mark.parametrize(
    ("said", "permissive"),
    [
        ("MPL-2.0 AND (Apache-2.0 OR MIT)", True),
        ("Public Domain; BSD License; GNU General Public License (GPL)", True),
        ("GPL-3.0-only OR MIT", True),
        ("GPL-3.0-only AND MIT", False),
        ("LGPL-3.0-only", False),
        ("Limited use permitted", False),
        ("", False),
    ],
)
def test_a_licence_is_read_as_a_whole(said: str, permissive: bool) -> None:  # noqa: FBT001
    assert is_permissive(said) == permissive


@pytest.mark.parametrize("page", ["README.md", "docs/files.md"])
def test_pages_say_which_driver_is_not_permissive(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    assert re.search(r"psycopg,? is under the LGPL", text)


def test_the_bill_names_what_each_package_needs() -> None:
    bill: dict[str, Any] = json.loads(run_tool("sbom"))
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.5")
    needs = {one["ref"]: one["dependsOn"] for one in bill["dependencies"]}
    assert "pydantic-core" in needs["pydantic"]
    assert "pydantic" in needs["microveil"]
    assert not {"scikit-learn", "pyarrow"} & set(needs), "parts of extras"


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
