from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

import microveil as mv
from microveil.app.file_runs.tabulating import tabulate_file
from microveil.registry import Registry, RegistryTerms
from microveil.registry.records.verifying import verify_record
from microveil.registry.tabling import TableRegistration, checks_of, record_tables
from microveil.tabulation.plan import TablePlan

PLAN = TablePlan.from_yaml("tables: [{by: [town]}]")


@pytest.fixture
def terms(tmp_path: Path) -> RegistryTerms:
    registry = Registry(tmp_path / "r.db", key=b"k" * 32, create=True)
    return RegistryTerms(registry, source="people")


def people(n: int = 40) -> pl.DataFrame:
    return pl.DataFrame({"id": range(n), "town": [f"t{i % 2}" for i in range(n)]})


def publish(terms: RegistryTerms, frame: pl.DataFrame, folder: Path, name: str) -> str:
    data = folder / "data.csv"
    frame.write_csv(data)
    run = tabulate_file(PLAN, data, folder / name, registry=terms)
    assert run.registered is not None
    return run.registered.sentence()


def test_tables_stand_in_the_list_and_are_compared(terms: RegistryTerms, tmp_path: Path) -> None:
    assert "Nothing was published" in publish(terms, people(), tmp_path, "one.csv")
    assert "No count differs" in publish(terms, people(), tmp_path, "two.csv")
    assert "4 counts differ by fewer than 3" in publish(terms, people(41), tmp_path, "three.csv")
    kinds = [one.kind for one in terms.registry.releases()]
    assert kinds == ["tables"] * 3
    assert terms.registry.releases()[0].outputs[0].name == "one.csv"


def test_microdata_are_compared_with_tables_and_tables_with_microdata(
    terms: RegistryTerms, tmp_path: Path
) -> None:
    roles = mv.Roles(quasi_identifiers=["town"])
    recipe = mv.Recipe(roles=roles, steps=[mv.Drop(columns=["id"])])
    known = RegistryTerms(terms.registry, source="people", person="id")
    mv.run(recipe, people(39), registry=known).write(tmp_path / "micro.csv")
    assert "counts differ" in publish(terms, people(), tmp_path, "table.csv")
    later = mv.run(recipe, people(), registry=known)
    assert later.registration is not None
    assert later.registration.composition.to_dict()["differences"]


def test_tables_that_cannot_be_written_are_not_registered(
    terms: RegistryTerms, tmp_path: Path
) -> None:
    with pytest.raises(mv.InputError):
        publish(terms, people(), tmp_path, "one.docx")
    assert list(terms.registry.releases()) == []


def test_a_record_of_tables_is_verified_like_any_other(tmp_path: Path) -> None:
    data, record = tmp_path / "data.csv", tmp_path / "record.json"
    people().write_csv(data)
    run = tabulate_file(PLAN, data, tmp_path / "one.csv", record=record)
    assert verify_record(record, tmp_path / "one.csv").holds
    (tmp_path / "one.csv").write_text("other")
    assert not verify_record(record, tmp_path / "one.csv").holds
    plain = json.loads(record.read_text())
    assert plain["prov"]["activity"]["microveil:run"]["microveil:rules"][0]["holds"]
    assert checks_of(run.made)
    assert record_tables(PLAN, run.made, None, ())["exit_code"] == 0
    assert TableRegistration.__doc__
