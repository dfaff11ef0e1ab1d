"""The comparison behind `make bench-check`."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType

import pytest

FOLDER = Path(__file__).parent.parent / "benchmarks" / "pace"


@pytest.fixture(scope="module")
def verdicts() -> ModuleType:
    spec = importlib.util.spec_from_file_location("verdicts", FOLDER / "verdicts.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_only_what_exceeds_its_accepted_ratio_clearly_is_slower(verdicts: ModuleType) -> None:
    accepted = {"a": 2.0, "b": 2.0, "c": 2.0}
    found, holds = verdicts.compare({"a": 2.4, "b": 2.6, "c": 0.1, "new": 9.0}, accepted)
    assert [one.slower for one in found] == [False, True, False, False]
    assert not holds
    assert verdicts.compare({"a": 2.4, "new": 9.0}, accepted)[1]
    assert "SLOWER" in str(found[1])
    assert "new" in str(found[3])


def test_a_case_that_fails_does_not_pass(verdicts: ModuleType) -> None:
    found, holds = verdicts.compare({"a": None}, {"a": 1.0})
    assert not holds
    assert "failed" in str(found[0])


def test_what_was_not_run_stays_accepted(verdicts: ModuleType, tmp_path: Path) -> None:
    path = tmp_path / "accepted.json"
    verdicts.accept({"a": 1.23456, "b": 2.0}, path)
    verdicts.accept({"b": 3.0, "c": None}, path)
    assert verdicts.accepted_ratios(path) == {"a": 1.235, "b": 3.0}
    assert verdicts.accepted_ratios(tmp_path / "none.json") == {}


def test_every_accepted_case_exists() -> None:
    known = json.loads((FOLDER / "accepted.json").read_text(encoding="utf-8"))
    text = (FOLDER / "cases.py").read_text(encoding="utf-8")
    assert known
    assert [case for case in known if f'"{case}"' not in text] == []
