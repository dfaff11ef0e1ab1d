from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import microveil as mv
from microveil.errors import FileError
from tests.app.arx_projects.cases import ASSIGNMENT, CONFIG, LEVELS, project


def test_a_project_becomes_a_recipe_that_runs(tmp_path: Path) -> None:
    found = mv.read_arx_project(project(tmp_path / "study.deid"))
    assert found.frame.schema["age"] == pl.Int64
    assert found.frame["height"].to_list() == [1.7, None, 1.8, 1.6]
    found.save(tmp_path / "out" / "recipe.yaml", tmp_path / "out" / "study.csv")
    recipe = mv.Recipe.read(tmp_path / "out" / "recipe.yaml")
    assert recipe.roles == mv.Roles(
        identifiers=["name"],
        quasi_identifiers=["age", "zip", "sex"],
        sensitive=["disease"],
        insensitive=["height"],
    )
    assert [model.to_dict() for model in recipe.require] == [
        {"model": "k_anonymity", "k": 2},
        {"model": "l_diversity", "l": 2, "column": "disease"},
    ]
    step = recipe.steps[1].to_dict()
    assert step["suppression_share"] == 0.2
    assert step["min_levels"] == {"zip": 1}
    assert step["max_levels"] == {"zip": 2}
    assert step["weights"] == {"age": 0.5, "zip": 0.25}
    assert step["levels"] == {"sex": 0}
    release = mv.run(recipe, mv.read(tmp_path / "out" / "study.csv", types={"zip": "text"}))
    assert release.holds
    assert release.data["age"].to_list() == ["30s", "30s", "40s", "40s"]
    assert any("some-new-model" in note for note in found.notes)
    assert any("sex" in note for note in found.notes)


def test_a_project_without_data_says_so(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="has no data"):
        mv.read_arx_project(project(tmp_path / "study.deid", data=False))


def test_what_is_no_project_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "study.deid").write_text("not a zip", encoding="utf-8")
    with pytest.raises(FileError, match=r"study\.deid cannot be read as an ARX project"):
        mv.read_arx_project(tmp_path / "study.deid")


def notes(path: Path, **given: Any) -> str:
    return "\n".join(mv.read_arx_project(project(path, **given)).notes)


def test_a_project_without_its_configuration_says_what_is_not_known(tmp_path: Path) -> None:
    found = mv.read_arx_project(project(tmp_path / "a.deid", config=None))
    assert found.recipe.require == ()
    assert any("no input/config.xml" in note for note in found.notes)
    assert any("requires nothing of the result" in note for note in found.notes)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            {"more": ASSIGNMENT.format(name="height", type="ODD", datatype="String", more="")},
            "'height' is defined more than once",
        ),
        (
            {"more": ASSIGNMENT.format(name="pay", type="ODD", datatype="String", more="")},
            "The data have no column 'pay'",
        ),
        ({"zips": ("9", "All")}, "Level 9 of 'zip' is beyond its hierarchy: its highest, 3"),
        (
            {"config": CONFIG.replace("'disease'", "'illness'")},
            "was not converted, because there is no column 'illness'",
        ),
        ({"config": CONFIG.replace(">0.5<", ">heavy<")}, "The weight of 'age' is not a number"),
        ({"config": CONFIG.replace(">0.5<", ">-1<")}, "The weight of 'age' is not a number"),
        ({"config": CONFIG.replace(">0.2<", ">NaN<")}, "The suppression limit is not a number"),
        (
            {"config": CONFIG.replace("some-new-model", "(0.0,0.5)-presence")},
            "names no research sample",
        ),
        (
            {
                "config": CONFIG.replace(
                    "some-new-model",
                    "0.2-closeness with hierarchical distance for attribute 'disease'",
                )
            },
            "'disease' has no hierarchy",
        ),
    ],
)
def test_what_is_odd_is_taken_over_as_far_as_it_goes_and_said(
    tmp_path: Path, given: dict[str, Any], said: str
) -> None:
    assert said in notes(tmp_path / "a.deid", **given)


def test_an_unknown_type_of_attribute_is_dropped_and_said(tmp_path: Path) -> None:
    path = project(tmp_path / "a.deid")
    _rewrite(path, "INSENSITIVE_ATTRIBUTE", "RESPONSE")
    found = mv.read_arx_project(path)
    assert "height" in found.recipe.roles.identifiers
    assert any("'height' has an unknown attribute type ('RESPONSE')" in one for one in found.notes)


def test_a_hierarchy_that_the_project_lacks_is_said(tmp_path: Path) -> None:
    path = project(tmp_path / "a.deid")
    assert not any("is not in the project" in one for one in mv.read_arx_project(path).notes)
    _rewrite(path, "hierarchies/zip.csv", "hierarchies/old/zip.csv")
    found = mv.read_arx_project(path)
    assert any("hierarchy of column 'zip' is not in the project" in one for one in found.notes)
    assert "zip" in found.recipe.roles.quasi_identifiers


def test_models_that_are_written_twice_are_taken_once(tmp_path: Path) -> None:
    twice = CONFIG.replace("some-new-model", "2-anonymity")
    found = mv.read_arx_project(project(tmp_path / "a.deid", config=twice))
    assert len(found.recipe.require) == 2


def test_a_column_that_the_data_have_twice_is_an_error(tmp_path: Path) -> None:
    path = project(tmp_path / "a.deid", data=False)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("data/input.csv", "age;age\n1;2\n")
    with pytest.raises(FileError, match="'age' occurs more than once"):
        mv.read_arx_project(path)


def test_hierarchical_closeness_and_presence_become_models_that_run(tmp_path: Path) -> None:
    config = CONFIG.replace(
        "some-new-model",
        "(0.0,0.9)-presence</criterion><criterion>0.5-closeness with hierarchical distance for "
        "attribute 'disease'",
    )
    for model in ("2-anonymity", "distinct-2-diversity for attribute 'disease'"):
        config = config.replace(f"<criterion>{model}</criterion>", "")
    subset = "name;age;zip;sex;disease;height\nAnn;31;0801;f;flu;1.7\nCy;45;0901;m;flu;1.8\n"
    path = project(tmp_path / "a.deid", config=config, subset=subset)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("input/hierarchies/disease.csv", "flu;ill;*\ncold;ill;*\n")
    parts = LEVELS.format(name="disease", low="All", high="All")
    definition = "<name>disease</name><type>SENSITIVE_ATTRIBUTE</type><datatype>String</datatype>"
    _rewrite(path, definition, f"{definition}{parts}")
    found = mv.read_arx_project(path)
    assert found.frame.height == 2
    assert found.population is not None
    assert found.population.height == 4
    found.save(tmp_path / "out" / "recipe.yaml", tmp_path / "out" / "data.csv")
    recipe = mv.Recipe.read(tmp_path / "out" / "recipe.yaml")
    models = recipe.steps[1].to_dict()["models"]
    presence = {"model": "delta_presence", "maximum": 0.9, "population": "population.parquet"}
    assert presence in models
    assert any(one.get("distance") == "hierarchical" for one in models)
    assert [model.kind() for model in recipe.models] == ["t_closeness"]
    data = mv.read(tmp_path / "out" / "data.csv", types={"zip": "text"})
    assert mv.run(recipe, data).holds


def _rewrite(path: Path, before: str, after: str) -> None:
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name).decode() for name in archive.namelist()}
    assert before in parts["input/definition.xml"]
    parts["input/definition.xml"] = parts["input/definition.xml"].replace(before, after)
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
