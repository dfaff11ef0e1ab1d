from __future__ import annotations

from pathlib import Path

import polars as pl

import microveil as mv
from microveil.registry.registering import Registration

KEY = b"k" * 32
FRAME = pl.DataFrame({"id": range(20), "a": [i % 2 for i in range(20)]})
PLAN = mv.Recipe.parse(
    {"roles": {"quasi_identifiers": ["a"]}, "steps": [{"method": "drop", "columns": ["id"]}]}
)


def composed(
    registry: mv.Registry, frame: pl.DataFrame, path: Path, source: str, person: str | None = None
) -> mv.Composition:
    release = mv.run(PLAN, frame, registry=mv.RegistryTerms(registry, source, person))
    release.write(path)
    assert isinstance(release.registration, Registration)
    return release.registration.composition


def test_a_renamed_and_sorted_source_is_recognised_by_its_people(tmp_path: Path) -> None:
    registry = mv.Registry(tmp_path / "r.db", key=KEY, create=True)
    composed(registry, FRAME, tmp_path / "1.csv", source="may")
    found = composed(registry, FRAME.sort("id", descending=True), tmp_path / "2.csv", source="june")
    assert (found.n_people, len(found.pairs), found.holds) == (20, 1, True)


def test_people_counted_in_two_ways_are_said_not_to_be_compared(tmp_path: Path) -> None:
    registry = mv.Registry(tmp_path / "r.db", key=KEY, create=True)
    composed(registry, FRAME, tmp_path / "1.csv", source="s", person="id")
    found = composed(registry, FRAME, tmp_path / "2.csv", source="s")
    assert "were not compared" in found.not_compared[0]
    assert "were not compared" in found.sentence()
