"""A release on Spark is compared with earlier ones, and noted when its folder appears."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import microveil as mv
from microveil.registry.recognising import recognise
from tests.spark.cases import to_spark

FRAME = pl.DataFrame(
    {"id": range(40), "sex": ["f", "m"] * 20, "age": [30, 30, 40, 40] * 10, "ill": ["a", "b"] * 20}
)
ROLES = mv.Roles(identifiers=["id"], quasi_identifiers=["sex", "age"], sensitive=["ill"])
RECIPE = mv.Recipe(
    roles=ROLES,
    steps=[mv.Drop(columns=["id"])],
    require=[mv.KAnonymity(k=2), mv.AcrossReleases(k=2)],
)


@pytest.fixture
def terms(tmp_path: Path) -> mv.RegistryTerms:
    registry = mv.Registry(tmp_path / "releases.db", key=b"k" * 32, create=True)
    return mv.RegistryTerms(registry, source="people", person="id")


def test_both_engines_find_the_same_people(
    spark: Any, terms: mv.RegistryTerms, tmp_path: Path
) -> None:
    first = mv.run(RECIPE, FRAME, seed=1, registry=terms)
    first.write(tmp_path / "one.parquet")
    second = mv.run(RECIPE, to_spark(spark, FRAME), seed=1, registry=terms)
    again = mv.run(RECIPE, FRAME, seed=1, registry=terms)
    assert [str(one) for one in second.checks] == [str(one) for one in again.checks]
    second.write(tmp_path / "two")
    entries = terms.registry.releases()
    assert [one.n_people for one in entries] == [40, 40]
    found = recognise(terms.registry, tmp_path / "two")
    assert found.release is not None
    assert found.release.id == entries[1].id


def test_a_folder_that_does_not_appear_is_not_noted(
    spark: Any, terms: mv.RegistryTerms, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    release = mv.run(RECIPE, to_spark(spark, FRAME), seed=1, registry=terms)

    def torn(*_: Any) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr("microveil.spark.writing.place_folders", torn)
    with pytest.raises(OSError, match="no space"):
        release.write(tmp_path / "out")
    assert not terms.registry.releases()
    assert not (tmp_path / "out").exists()


def test_rows_that_belong_to_nobody_are_noted_as_such(
    spark: Any, terms: mv.RegistryTerms, tmp_path: Path
) -> None:
    drawn = mv.Recipe(roles=ROLES, steps=[mv.Drop(columns=["id"]), mv.Synthesize()])
    mv.run(drawn, to_spark(spark, FRAME), seed=1, registry=terms).write(tmp_path / "out")
    assert [one.kind for one in terms.registry.releases()] == ["synthesis"]


def test_a_registry_needs_memory_for_both_tables(spark: Any) -> None:
    from microveil.spark.comparing import number_if_compared

    with pytest.raises(mv.InputError, match="A registry compares the people"):
        number_if_compared(RECIPE, to_spark(spark, FRAME), 10, registered=True)
