"""What `import microveil as mv` offers: the contract and its nouns, nothing from indoors."""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

import microveil as mv
from docs import consoles, hooks
from microveil.specs import Registry

REGISTRIES = {
    "GENERATORS",
    "HIERARCHIES",
    "METHODS",
    "MODELS",
    "RISK_MEASURES",
    "UTILITY_MEASURES",
}
PACKAGES = {"dp", "plots", "studies"}
LAZY_ROOMS = [
    "app",
    "files",
    "methods",
    "privacy",
    "risk",
    "search",
    "studies",
    "synthesis",
    "utility",
]
MOST_MODULES = 115
"""Of ours, for a recipe of one step; all rooms together have ten times as many."""


def test_every_public_name_is_a_documented_function_a_class_or_a_registry() -> None:
    names = [name for name in dir(mv) if not name.startswith("__")]
    assert not [name for name in names if name.startswith("_")]
    others = [
        name
        for name in names
        if not (inspect.isclass(one := getattr(mv, name)) or inspect.isfunction(one))
    ]
    assert set(others) == {*REGISTRIES, "ACCEPTABLE_K", "settings", *PACKAGES}
    assert all(isinstance(getattr(mv, name), Registry) for name in REGISTRIES)
    bare = [name for name in names if name not in others and not inspect.getdoc(getattr(mv, name))]
    assert bare == []


def test_every_registered_thing_is_public_under_its_class_name() -> None:
    registered = {one.__name__ for name in REGISTRIES for one in getattr(mv, name)}
    assert registered <= set(dir(mv))


@pytest.mark.parametrize(("mistyped", "meant"), [("Pramm", "Pram"), ("asess", "assess")])
def test_a_mistyped_name_hints_at_the_nearest(mistyped: str, meant: str) -> None:
    with pytest.raises(AttributeError, match=f"Did you mean '{meant}'"):
        getattr(mv, mistyped)


def test_importing_loads_no_room() -> None:
    code = (
        "import sys, microveil;"
        "print([n for n in sys.modules if n.startswith('microveil.') or n in ('polars', 'numba')])"
    )
    done = subprocess.run(  # noqa: S603  our own interpreter
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_one_name_loads_what_it_needs() -> None:
    """Neither the other steps and measures, nor readers of files, nor compiled loops."""
    code = (
        "import sys, microveil as mv; mv.Recipe(steps=[mv.Drop(columns='name')]);"
        "ours = [name for name in sys.modules if name.startswith('microveil.')];"
        "print(len(ours), *{name.split('.')[1] for name in ours}, *sys.modules)"
    )
    done = subprocess.run(  # noqa: S603  our own interpreter
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    n_modules, *loaded = done.stdout.split()
    assert int(n_modules) < MOST_MODULES
    assert not {"app", "risk", "utility", "search", "synthesis", "numba"} & set(loaded)
    assert not {"narwhals", "pandas", "pyarrow"} & set(loaded)
    assert "microveil.methods.mondrian" not in loaded


def test_each_name_comes_from_the_module_it_is_listed_with() -> None:
    moved = [
        name
        for name in dir(mv)
        if inspect.isclass(one := getattr(mv, name)) or inspect.isfunction(one)
        if not one.__module__.startswith(f"microveil.{mv._HOMES[name]}")  # type: ignore[attr-defined]
    ]
    assert moved == []


def test_type_checkers_see_the_same_names() -> None:
    stub = ast.parse(Path(mv.__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
    seen = {
        alias.name: node.module
        for node in stub.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    named = {name: f"microveil.{home}" for name, home in mv._HOMES.items()}  # type: ignore[attr-defined]
    asked = named | dict.fromkeys(PACKAGES, "microveil")
    assert {name: seen.get(name) for name in asked} == asked


@pytest.mark.parametrize("room", LAZY_ROOMS)
def test_a_room_offers_what_it_lists(room: str) -> None:
    module = import_module(f"microveil.{room}")
    assert [name for name in module.__all__ if inspect.ismodule(getattr(module, name))] == []
    with pytest.raises(AttributeError, match="nonsense"):
        _ = module.nonsense


def test_every_registered_class_has_the_name_it_is_listed_under() -> None:
    for registry in (getattr(mv, name) for name in REGISTRIES):
        assert [kind for kind, spec in registry.classes.items() if spec.kind() != kind] == []


def test_every_public_name_stands_in_the_docs() -> None:
    page = (consoles.ROOT / "docs" / "python-reference.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"(?m)^\| `mv\.(\w+)` \| (.+) \|$", hooks.filled(page)))
    names = {name for name in dir(mv) if name != "__version__"}
    assert names <= set(rows)
    assert [name for name in names if not rows[name].strip()] == []


def test_pages_import_from_the_top_level_only() -> None:
    deep = re.compile(r"(?m)^(?:>>> |\.\.\. )?\s*(?:from microveil\.(?!dp\b)|import microveil\.)")
    guilty = [page.name for page in pages() if deep.search(page.read_text(encoding="utf-8"))]
    assert guilty == []


def pages() -> list[Path]:
    """What users read; pages for contributors show modules, whose imports are deep."""
    inside = {"CONTRIBUTING.md", "architecture.md"}
    return [page for page in consoles.pages() if page.name not in inside]


def test_the_version_is_that_of_the_package_and_the_newest_of_the_change_log() -> None:
    project = tomllib.loads((consoles.ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    changes = (consoles.ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = re.search(r"(?m)^## (\S+) \((\d{4}-\d\d-\d\d)\)$", changes)
    assert newest
    assert newest[1] == mv.__version__ == project["project"]["version"]


def test_every_fragment_of_the_change_log_has_its_form(tmp_path: Path) -> None:
    tool = consoles.ROOT / "tools" / "changelog"
    done = subprocess.run([tool], cwd=consoles.ROOT, capture_output=True, check=False)  # noqa: S603
    assert done.returncode == 0, done.stderr
    (tmp_path / "changelog.d").mkdir()
    (tmp_path / "changelog.d" / "blank.md").write_text("blank is new", encoding="utf-8")
    done = subprocess.run([tool], cwd=tmp_path, capture_output=True, check=False)  # noqa: S603
    assert b"begin with one of **Added**" in done.stderr
