"""What `import microveil as mv` offers: the contract and its nouns, nothing from indoors."""

from __future__ import annotations

import inspect
import subprocess
import sys

import pytest

import microveil as mv
from microveil.specs import Registry

REGISTRIES = {
    "GENERATORS",
    "HIERARCHIES",
    "METHODS",
    "MODELS",
    "RISK_MEASURES",
    "UTILITY_MEASURES",
}


def test_every_public_name_is_a_documented_function_a_class_or_a_registry() -> None:
    names = [name for name in dir(mv) if not name.startswith("__")]
    assert not [name for name in names if name.startswith("_")]
    others = [
        name
        for name in names
        if not (inspect.isclass(one := getattr(mv, name)) or inspect.isfunction(one))
    ]
    assert set(others) == {*REGISTRIES, "ACCEPTABLE_K", "dp"}
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
