from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import microveil as mv
from microveil.app.file_runs.gating import gate

RECIPE = mv.Recipe.parse(
    {"roles": {"quasi_identifiers": ["a"]}, "steps": [{"method": "drop", "columns": ["id"]}],
     "require": [{"model": "k_anonymity", "k": 2}]}
)  # fmt: skip


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MICROVEIL_REGISTRY_KEY", "x" * 32)
    pl.DataFrame({"id": range(20), "a": list("xy") * 10}).write_csv(tmp_path / "may.csv")
    pl.DataFrame({"id": range(22), "a": list("xy") * 10 + ["z", "z"]}).write_csv(
        tmp_path / "june.csv"
    )
    return tmp_path


def test_a_file_is_compared_with_the_baseline_that_was_accepted(place: Path) -> None:
    base = place / "base.json"
    assert gate(RECIPE, place / "may.csv", baseline=base, accept=base).holds
    assert gate(RECIPE, place / "may.csv", baseline=base).holds
    before = base.read_text()
    found = gate(RECIPE, place / "june.csv", baseline=base, accept=base)
    assert {one.kind for one in found.findings} >= {"risk", "categories"}
    assert base.read_text() == before


def test_the_last_release_of_the_registry_is_a_baseline(place: Path) -> None:
    registry = mv.Registry(place / "r.db", create=True)
    terms = mv.RegistryTerms(registry, source="s", person="id")
    first = gate(RECIPE, place / "may.csv", baseline="last", registry=terms)
    assert (first.baseline, first.holds) == ("nothing", True)
    mv.run_file(RECIPE, place / "may.csv", place / "out.csv", registry=terms)
    assert gate(RECIPE, place / "may.csv", baseline="last", registry=terms).holds
    assert not gate(RECIPE, place / "june.csv", baseline="last", registry=terms).holds
    assert len(registry.releases()) == 1


def test_a_broken_requirement_and_a_bad_baseline(place: Path) -> None:
    strict = RECIPE.with_values({"require.0.k": 50})
    found = gate(strict, place / "may.csv", baseline=place / "none.json", accept=place / "n.json")
    assert "50-anonymity" in found.sentences()[0]
    assert not (place / "n.json").exists()
    with pytest.raises(mv.FileError, match="no baseline"):
        gate(RECIPE, place / "may.csv", baseline=place / "may.csv")
    with pytest.raises(mv.InputError, match="needs a registry"):
        gate(RECIPE, place / "may.csv", baseline="last")
