from __future__ import annotations

from pathlib import Path

import pytest

import microveil as mv

TEXT = """
roles: {identifiers: [name], quasi_identifiers: [age, sex, zip], sensitive: [disease]}
steps:
  - {method: drop, columns: [name]}
  - {method: suppress_records, k: 2}
require:
  - {model: k_anonymity, k: 2}
"""


def test_a_recipe_survives_yaml() -> None:
    recipe = mv.Recipe.from_yaml(TEXT)
    assert mv.Recipe.from_yaml(recipe.to_yaml()) == recipe


def test_a_recipe_written_in_python_equals_the_one_in_the_file() -> None:
    built = mv.Recipe(
        roles=mv.Roles(
            identifiers=["name"], quasi_identifiers=["age", "sex", "zip"], sensitive=["disease"]
        ),
        steps=[mv.Drop(columns=["name"]), mv.SuppressRecords(k=2)],
        require=[mv.KAnonymity(k=2)],
    )
    assert built == mv.Recipe.from_yaml(TEXT)


def test_every_problem_of_a_recipe_is_named_at_once() -> None:
    text = """
roles: {identifiers: [age], sensitive: [age]}
steps:
  - {method: dropp, columns: [name]}
  - {method: drop, colums: [name]}
  - {columns: [name]}
require:
  - {model: k_anonymity, k: 1}
extra: 1
"""
    with pytest.raises(mv.SpecError) as caught:
        mv.Recipe.from_yaml(text, source="recipe.yaml")
    problems = "\n".join(caught.value.problems)
    assert "roles: Roles clash" in problems
    assert "steps.0: Unknown method 'dropp'. Did you mean 'drop'?" in problems
    assert "steps.1.drop.columns: Field required." in problems
    assert "steps.1.drop.colums: Unknown field. Did you mean 'columns'?" in problems
    assert "steps.2: Give the method" in problems
    assert "require.0.k_anonymity.k: Input should be greater than or equal to 2" in problems
    assert "extra: Unknown field." in problems
    assert str(caught.value).startswith("recipe.yaml: 7 problems:")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("steps: [", "Not valid YAML: line 1"),
        ("- a\n- b", "A recipe is a mapping"),
        ("", "A recipe is a mapping"),
        ("steps: {method: drop}", "steps: "),
    ],
)
def test_bad_yaml_gets_one_clear_sentence(text: str, message: str) -> None:
    with pytest.raises(mv.SpecError, match=message):
        mv.Recipe.from_yaml(text)


def test_a_recipe_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(mv.FileError, match=r"none\.yaml: cannot be read"):
        mv.Recipe.read(tmp_path / "none.yaml")


def test_a_recipe_in_another_encoding_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "recipe.yaml"
    path.write_bytes("roles: {sensitive: [größe]}".encode("latin-1"))
    with pytest.raises(mv.FileError, match="not UTF-8"):
        mv.Recipe.read(path)


def test_a_written_recipe_reads_back(tmp_path: Path) -> None:
    recipe = mv.Recipe.from_yaml(TEXT)
    recipe.write(tmp_path / "recipe.yaml")
    assert mv.Recipe.read(tmp_path / "recipe.yaml") == recipe


def test_json_is_a_recipe_too() -> None:
    assert mv.Recipe.from_yaml('{"steps": [{"method": "drop", "columns": ["a"]}]}').steps


def test_a_parameter_is_reached_by_its_path() -> None:
    recipe = mv.Recipe.from_yaml(TEXT).with_values({"steps.1.k": 5, "require.0.k": 5})
    assert recipe.steps[1] == mv.SuppressRecords(k=5)
    assert recipe.require == (mv.KAnonymity(k=5),)


@pytest.mark.parametrize("path", ["steps.9.k", "stepps.1.k", "steps.x.k", "stepps"])
def test_a_path_that_leads_nowhere_is_named(path: str) -> None:
    with pytest.raises(mv.InputError, match=path.replace(".", r"\.")):
        mv.Recipe.from_yaml(TEXT).with_values({path: 5})


def test_a_value_for_an_unknown_parameter_is_named() -> None:
    with pytest.raises(mv.SpecError, match=r"steps\.1\.suppress_records\.kk: Unknown field"):
        mv.Recipe.from_yaml(TEXT).with_values({"steps.1.kk": 5})


def test_files_a_recipe_names_are_looked_for_beside_it(tmp_path: Path) -> None:
    folder = tmp_path / "recipes"
    folder.mkdir()
    (folder / "sex.csv").write_text("f;person\nm;person\n", encoding="utf-8")
    step = "{method: generalize, column: sex, hierarchy: sex.csv, level: 1}"
    (folder / "recipe.yaml").write_text(f"steps: [{step}]", encoding="utf-8")
    recipe = mv.Recipe.read(folder / "recipe.yaml")
    assert mv.run(recipe, {"sex": ["f", "m"]}).data["sex"].to_list() == ["person", "person"]
    coarser = recipe.with_values({"steps.0.level": 2})
    assert mv.run(coarser, {"sex": ["f"]}).data["sex"].to_list() == ["*"]
    assert recipe == mv.Recipe.from_yaml(f"steps: [{step}]")
