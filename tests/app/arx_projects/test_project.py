from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import microveil as mv
from microveil.errors import FileError
from tests.app.arx_projects.cases import project


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
