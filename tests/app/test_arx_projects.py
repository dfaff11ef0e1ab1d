"""Projects of the ARX desktop tool; the archive is laid out as ARX saves it."""

from __future__ import annotations

import zipfile
from pathlib import Path

import polars as pl
import pytest

import microveil as mv
from microveil.app.arx_projects.criteria import loss_of, model_of
from microveil.errors import FileError

ASSIGNMENT = (
    "<assigment><name>{name}</name><type>{type}</type><datatype>{datatype}</datatype>{more}"
    "</assigment>"
)
LEVELS = "<ref>hierarchies/{name}.csv</ref><min>{low}</min><max>{high}</max>"
CONFIG = """<config>
<relativeMaxOutliers>0.2</relativeMaxOutliers><metric>Loss (0.5/0.5)</metric>
<attributeWeights>
<attributeWeight><attribute>age</attribute><weight>0.5</weight></attributeWeight>
<attributeWeight><attribute>zip</attribute><weight>0.25</weight></attributeWeight>
</attributeWeights>
<criteria><criterion>2-anonymity</criterion>
<criterion>distinct-2-diversity for attribute 'disease'</criterion>
<criterion>some-new-model</criterion></criteria>
</config>"""


def project(path: Path, *, data: bool = True) -> Path:
    quasi = "QUASI_IDENTIFYING_ATTRIBUTE"
    attributes = [
        ("name", "IDENTIFYING_ATTRIBUTE", "String", ""),
        ("age", quasi, "Integer", LEVELS.format(name="age", low="All", high="All")),
        ("zip", quasi, "String", LEVELS.format(name="zip", low="1", high="2")),
        ("sex", quasi, "String", ""),
        ("disease", "SENSITIVE_ATTRIBUTE", "String", ""),
        ("height", "INSENSITIVE_ATTRIBUTE", "Decimal", ""),
    ]
    definition = "".join(
        ASSIGNMENT.format(name=name, type=kind, datatype=datatype, more=more)
        for name, kind, datatype, more in attributes
    )
    table = (
        "name;age;zip;sex;disease;height\nAnn;31;0801;f;flu;1.7\nBo;33;0802;f;cold;NULL\n"
        "Cy;45;0901;m;flu;1.8\nDi;47;0902;m;cold;1.6\n"
    )
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("metadata.xml", "<metadata><version>3.9.1</version></metadata>")
        archive.writestr("project.xml", "<project><separator>;</separator></project>")
        archive.writestr("input/definition.xml", f"<definition>{definition}</definition>")
        archive.writestr("input/config.xml", CONFIG)
        archive.writestr("input/hierarchies/age.csv", "31;30s;*\n33;30s;*\n45;40s;*\n47;40s;*\n")
        zips = "".join(f"{code};{code[:3]}*;{code[:2]}**;*\n" for code in _zips())
        archive.writestr("input/hierarchies/zip.csv", zips)
        if data:
            archive.writestr("data/input.csv", table)
    return path


def _zips() -> tuple[str, ...]:
    return ("0801", "0802", "0901", "0902")


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


@pytest.mark.parametrize(
    ("text", "model"),
    [
        ("5-anonymity", {"model": "k_anonymity", "k": 5}),
        (
            "shannon-entropy-3.0-diversity for attribute 'a b'",
            {"model": "l_diversity", "l": 3, "column": "a b", "kind": "entropy"},
        ),
        (
            "recursive-(4.0,3)-diversity for attribute 'x'",
            {"model": "l_diversity", "c": 4.0, "l": 3, "column": "x", "kind": "recursive"},
        ),
        (
            "0.2-closeness with ordered distance for attribute 'x'",
            {"model": "t_closeness", "t": 0.2, "column": "x", "distance": "ordered"},
        ),
        (
            "enhanced-1.5-likeness for attribute 'x'",
            {"model": "beta_likeness", "kind": "enhanced", "beta": 1.5, "column": "x"},
        ),
        (
            "0.5-disclosure privacy for attribute 'x'",
            {"model": "delta_disclosure", "delta": 0.5, "column": "x"},
        ),
        ("(0.1)-avg-reidentification-risk", {"model": "average_risk", "threshold": 0.1}),
    ],
)
def test_models_are_read_as_arx_writes_them(text: str, model: dict[str, object]) -> None:
    assert model_of(text) == model
    assert mv.MODELS.parse(model).kind() == model["model"]


def test_an_unknown_model_or_loss_is_none() -> None:
    assert model_of("something-else") is None
    assert loss_of("Publisher payout") is None
    assert loss_of("Precision") == {"loss": "precision"}


def test_a_project_without_data_says_so(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="holds no data"):
        mv.read_arx_project(project(tmp_path / "study.deid", data=False))


def test_what_is_no_project_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "study.deid").write_text("not a zip", encoding="utf-8")
    with pytest.raises(FileError, match=r"study\.deid cannot be read as an ARX project"):
        mv.read_arx_project(tmp_path / "study.deid")
