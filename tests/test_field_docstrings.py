from __future__ import annotations

import subprocess
import sys

import microveil as mv
from microveil.specs import Spec


class Outer(Spec):
    """A user's own spec."""

    size: int = 1
    """How large it is."""


class Inner(mv.Method):
    """A step that adds a field and changes another."""

    method: str = "inner"
    depth: int = 2
    """How deep it is,
    over two lines."""
    columns: tuple[str, ...] = ()


def test_a_field_is_described_by_the_docstring_under_it() -> None:
    text = "Smallest number of records that may share their quasi-identifiers."
    assert mv.KAnonymity.model_fields["k"].description == text
    assert mv.KAnonymity.model_json_schema()["properties"]["k"]["description"] == text


def test_a_users_own_class_is_described_too() -> None:
    assert Outer.model_fields["size"].description == "How large it is."
    assert Inner.model_fields["depth"].description == "How deep it is,\nover two lines."
    assert Inner.model_json_schema()["properties"]["depth"]["description"].startswith("How deep")


def test_an_inherited_field_keeps_its_description() -> None:
    described = mv.Linkability.model_fields
    assert described["n_attacks"].description == mv.Inference.model_fields["n_attacks"].description
    assert described["confidence"].description


def test_importing_and_running_reads_no_source() -> None:
    code = "import sys, microveil.app; print('microveil.field_docstrings' in sys.modules)"
    words = [sys.executable, "-c", code]
    done = subprocess.run(words, check=True, capture_output=True, text=True)  # noqa: S603  our own code
    assert done.stdout.strip() == "False"
