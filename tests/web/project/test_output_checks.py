"""Packages of outputs: checked together, and nothing of them stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from microveil.errors import InputError
from microveil.progress import silent
from microveil.web.project.output_checks import check_package
from tests.web.pages.test_outputs import DERIVED, SAFE, _pack


def test_outputs_accepted_before_count_and_nothing_stays(tmp_path: Path) -> None:
    package = _pack(tmp_path / "o.zip", ill=SAFE)
    accepted = _pack(tmp_path / "a.zip", ill=SAFE.replace("flu,40", "flu,38").replace("84", "82"))
    view = check_package(package, None, tmp_path / "f", "acro", None, silent)
    assert view.verdict == "pass"
    view = check_package(package, accepted, tmp_path / "f", "acro", None, silent)
    assert (view.verdict, view.verdicts) == ("fail", (("results/ill.csv", "fail"),))
    assert {one.name for one in tmp_path.iterdir()} == {"o.zip", "a.zip"}


def test_limits_are_a_presets_or_typed(tmp_path: Path) -> None:
    package = _pack(tmp_path / "o.zip", towns=DERIVED)
    assert check_package(package, None, tmp_path / "f", "acro", 3, silent).verdict == "pass"
    found = check_package(package, None, tmp_path / "f", "opensafely", None, silent)
    assert any("no multiple of 5" in one.reason for one in found.findings)
    with pytest.raises(InputError, match="first"):
        check_package(None, None, tmp_path / "f", "acro", None, silent)
