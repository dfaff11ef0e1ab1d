from __future__ import annotations

import json
import re
from pathlib import Path

import polars as pl
import pytest

import microveil as mv
from microveil.files import Labels
from microveil.metadata.describing import checked_rules, describe_file, describe_release
from microveil.metadata.writing import FORMATS
from microveil.release import Release
from tests.metadata.cases import LABELS, RECIPE, STUDY, UGLY, people


def everything(release: Release, tmp_path: Path) -> str:
    told = describe_release(release, STUDY, release.write(tmp_path / "out.csv"))
    return "\n".join(made(told) for made in FORMATS.values())


def test_nothing_that_helps_an_intruder_is_told(release: Release, tmp_path: Path) -> None:
    text = everything(release, tmp_path)
    for secret in ("0.0731", "90210", "MICROVEIL_TEST", "key_env", "sd_share", "k" * 40):
        assert secret not in text
    assert "Tiny" not in text  # three people live there
    assert "secret-home" not in text
    pseudonyms = set(release.data["home"].to_list())
    assert not any(one in text for one in pseudonyms)
    assert "1000.37" not in text
    for path in (str(tmp_path), str(Path.home())):
        assert path not in text


def test_removed_columns_are_not_named(release: Release, tmp_path: Path) -> None:
    told = describe_release(release)
    assert "name" not in [one.name for one in told.tables[0].variables]
    assert "Variables that are not to be published were left out." in told.protection
    del tmp_path


def test_a_release_that_must_not_leave_has_no_metadata() -> None:
    frame = {"a": list(range(30))}
    roles = mv.Roles(quasi_identifiers=["a"])
    broken = mv.run(mv.Recipe(roles=roles, require=[mv.KAnonymity(k=5)]), frame)
    with pytest.raises(mv.RequirementNotMetError):
        describe_release(broken)


def test_fewer_than_ten_records_are_not_counted() -> None:
    told = describe_release(mv.run(mv.Recipe(undeclared="keep"), {"a": [1, 2, 3]}))
    assert told.tables[0].n_records == "<10"
    assert told.tables[0].variables[0].categories == ()


def test_the_title_is_that_of_the_study_the_file_or_its_name(release: Release) -> None:
    assert describe_release(release, mv.Study(title="Mine")).title == "Mine"
    assert describe_release(release).title == LABELS.title
    bare = mv.run(mv.Recipe(undeclared="keep"), {"a": [1] * 20})
    assert describe_release(bare).title == "data"


def test_rules_are_named_with_no_number_but_k(release: Release) -> None:
    assert checked_rules(release) == ("3-anonymity",)


def test_the_study_says_who_a_column_is_about(release: Release) -> None:
    told = describe_release(release, mv.Study(universes={"age": "adults"}))
    found = {one.name: one.universe for one in told.tables[0].variables}
    assert found["age"] == "adults"
    assert found[UGLY] == "employees"


@pytest.mark.parametrize("suffix", ["sav", "dta"])
def test_packages_are_told_by_the_codes_in_their_file(tmp_path: Path, suffix: str) -> None:
    roles = {"quasi_identifiers": ["age"]}
    ten = {"hierarchy": "intervals", "width": 10}
    steps = [{"method": "generalize", "column": "age", "hierarchy": ten, "level": 1}]
    recipe = mv.Recipe.parse({"roles": roles, "steps": steps})
    labels = Labels(columns={"age": "Age"})
    made = mv.run(recipe, {"age": [20 + i % 30 for i in range(90)]}, labels=labels)
    path = tmp_path / f"out.{suffix}"
    told = describe_release(made, None, made.write(path)).tables[0].variables[0]
    found = mv.read_labelled(path)[1].values["age"]
    coded = {str(int(float(code))): text for code, text in found.items()}
    assert {one.value: one.label for one in told.categories} == coded


def test_parts_are_tables_of_their_own() -> None:
    frame = pl.DataFrame({"a": ["x", "y"] * 20, "b": ["u"] * 40, "c": ["v"] * 40})
    step = mv.Decompose(groups={"one": ["a", "b"], "two": ["c"]})
    told = describe_release(mv.run(mv.Recipe(steps=[step], undeclared="keep"), frame, seed=1))
    assert [one.name for one in told.tables] == ["data", "two"]


def test_synthetic_records_are_called_so() -> None:
    frame = pl.DataFrame({"a": ["x", "y"] * 40, "b": ["u", "v", "u", "u"] * 20})
    recipe = mv.Recipe(steps=[mv.Synthesize(generator={"generator": "cart"})], undeclared="keep")
    told = describe_release(mv.run(recipe, frame, seed=1))
    assert told.synthetic
    assert any("synthetic" in one.lower() for one in told.limitations)


def test_a_file_is_described_by_its_recipe(
    release: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    release.write("out.csv")
    told = describe_file(mv.Recipe.parse(RECIPE), "out.csv", STUDY)
    by_name = {one.name: one for one in told.tables[0].variables}
    assert by_name["w"].role == "weight"
    assert "noise" in by_name[UGLY].treatments[0].sentence
    assert told.tables[0].file is not None
    assert re.fullmatch("[0-9a-f]{64}", str(told.tables[0].file.sha256))


def test_an_original_is_not_described_as_a_release(tmp_path: Path) -> None:
    people().write_csv(tmp_path / "original.csv")
    with pytest.raises(mv.InputError, match="identifiers: name"):
        describe_file(mv.Recipe.parse(RECIPE), tmp_path / "original.csv")


def test_everything_is_json_where_it_says_so(release: Release, tmp_path: Path) -> None:
    for path in describe_release(release).write(tmp_path / "about"):
        if path.suffix in (".json", ".jsonld"):
            json.loads(path.read_text(encoding="utf-8"))
