from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import microveil as mv

KEY = b"k" * 32
FRAME = pl.DataFrame({"id": range(20), "a": [i % 2 for i in range(20)], "n": range(20)})


def test_synthetic_records_are_noted_without_people(tmp_path: Path) -> None:
    registry = mv.Registry(tmp_path / "r.db", key=KEY, create=True)
    plan = mv.Recipe.parse(
        {"roles": {"quasi_identifiers": ["a"], "sensitive": ["n"]},
         "steps": [{"method": "drop", "columns": ["id"]},
                   {"method": "synthesize", "columns": ["a", "n"]}]}
    )  # fmt: skip
    mv.run(plan, FRAME, seed=1, registry=registry).write(tmp_path / "out.csv")
    (entry,) = registry.releases()
    assert (entry.kind, entry.signatures, entry.n_people) == ("synthesis", None, 0)


def test_each_scenario_is_compared_by_its_own_keys(tmp_path: Path) -> None:
    registry = mv.Registry(tmp_path / "r.db", key=KEY, create=True)
    plan = mv.Recipe.parse(
        {"roles": {"quasi_identifiers": ["a"], "scenarios": {"boss": ["n"]}},
         "require": [{"across_releases": {"k": 5}}],
         "steps": [{"method": "drop", "columns": ["id"]}]}
    )  # fmt: skip
    first = mv.run(plan, FRAME, registry=registry)
    assert [check.holds for check in first.checks] == [True, True]
    first.write(tmp_path / "1.csv")
    second = mv.run(plan, FRAME, registry=registry)
    assert [(check.scenario, check.holds) for check in second.checks] == [
        (None, True),
        ("boss", False),
    ]


def test_a_file_that_cannot_be_placed_is_withdrawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    registry = mv.Registry(tmp_path / "r.db", key=KEY, create=True)
    plan = mv.Recipe(roles=mv.Roles(quasi_identifiers=["a"]), undeclared="keep")
    release = mv.run(plan, FRAME, registry=registry)
    monkeypatch.setattr("microveil.files.placing._put", _fail)
    with pytest.raises(mv.FileError):
        release.write(tmp_path / "out.csv")
    assert registry.releases() == ()
    assert registry.audit().n_unfinished == 0


def _fail(_placement: object) -> None:
    raise OSError(28, "No space left on device")
