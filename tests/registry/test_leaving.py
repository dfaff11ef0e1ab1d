from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import microveil as mv
from microveil.registry.leaving import name_source

KEY = b"k" * 32
RECIPE = mv.Recipe.parse(
    {"roles": {"quasi_identifiers": ["a"]}, "steps": [{"method": "drop", "columns": ["id"]}],
     "require": [{"model": "k_anonymity", "k": 2}, {"across_releases": {"k": 2}}]}
)  # fmt: skip


@pytest.mark.parametrize("in_parts", [False, True])
def test_a_file_run_is_registered_whole_and_in_parts(tmp_path: Path, *, in_parts: bool) -> None:
    registry = mv.Registry(tmp_path / "r.db", key=KEY, create=True)
    source = tmp_path / "may.csv"
    pl.DataFrame({"id": range(40), "a": [i % 4 for i in range(40)]}).write_csv(source)
    terms = mv.RegistryTerms(registry, person="id")
    for number in range(2):
        out = tmp_path / f"out{number}.csv"
        done = mv.run_file(RECIPE, source, out, registry=terms, in_parts=in_parts, made_by="Ann")
        assert done.holds
        assert done.registered is not None
        assert done.registered["n_people"] == 40 * number
    first, second = registry.releases()
    assert (first.source, first.made_by, first.n_people) == ("may", "Ann", 40)
    assert first.input_sha256 == second.input_sha256
    assert second.composition is not None
    assert second.composition["smallest"] == 10


def test_a_dry_run_and_a_broken_requirement_register_nothing(tmp_path: Path) -> None:
    registry = mv.Registry(tmp_path / "r.db", key=KEY, create=True)
    source = tmp_path / "may.csv"
    pl.DataFrame({"id": range(5), "a": range(5)}).write_csv(source)
    terms = mv.RegistryTerms(registry)
    assert not mv.run_file(RECIPE, source, tmp_path / "o.csv", registry=terms).holds
    mv.run_file(RECIPE, source, None, registry=terms, dry_run=True)
    assert registry.releases() == ()


def test_without_a_registry_a_file_run_is_refused_and_spark_has_none(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("id,a\n1,1\n")
    with pytest.raises(mv.InputError, match="--registry"):
        mv.run_file(RECIPE, tmp_path / "in.csv", tmp_path / "out.csv")
    registry = mv.Registry(tmp_path / "r.db", key=KEY, create=True)
    named = name_source(mv.RegistryTerms(registry), "sqlite:///x.db?table=t", None)
    assert named is not None
    assert named.input_sha256 is None
