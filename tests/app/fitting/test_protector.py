from __future__ import annotations

import pickle
from pathlib import Path

import pytest

import microveil as mv
from microveil.errors import InputError
from tests.app.fitting.cases import ROLES, STEPS, people, recipe


def test_what_was_learnt_survives_a_file_in_another_folder(tmp_path: Path) -> None:
    (tmp_path / "recipes").mkdir()
    (tmp_path / "recipes" / "towns.csv").write_text(
        "Oslo;north;*\nTurku;north;*\nRome;south;*\nBari;south;*\n", encoding="utf-8"
    )
    path = tmp_path / "recipes" / "recipe.yaml"
    step = "{method: generalize, column: town, hierarchy: towns.csv, level: 1}"
    other = (
        "{method: generalize, column: age, hierarchy: {hierarchy: intervals, width: 40}, level: 1}"
    )
    path.write_text(f"{ROLES}steps: [{step}, {other}]\nundeclared: keep", encoding="utf-8")
    protector = mv.Protector(mv.Recipe.read(path)).fit(people(100, 1))
    saved = protector.save(tmp_path / "fitted.yaml")
    again = mv.Protector.load(saved)
    assert again.transform(people(90, 2)).equals(protector.transform(people(90, 2)))


def test_it_follows_the_protocol_of_scikit_learn() -> None:
    base = pytest.importorskip("sklearn.base")
    protector = mv.Protector(recipe(STEPS["mondrian"]), seed=5)
    copied = base.clone(protector)
    assert copied.get_params()["recipe"] == protector.recipe
    assert copied.set_params(steps__0__k=4).recipe.steps[0].k == 4
    assert protector.recipe.steps[0] == mv.Mondrian(k=3)
    fitted = protector.fit(people(100, 1).to_pandas())
    assert type(fitted.transform(people(50, 2).to_pandas())).__module__.startswith("pandas")
    assert pickle.loads(pickle.dumps(fitted)).recipe_ == fitted.recipe_  # noqa: S301  our own
    with pytest.raises(InputError, match="Did you mean 'recipe'"):
        protector.set_params(recipee=1)
    with pytest.raises(InputError, match="fit"):
        copied.transform(people(5, 1))


def test_the_seed_is_neither_shown_nor_pickled() -> None:
    protector = mv.Protector(recipe(STEPS["datafly"]), seed=90210)
    assert pickle.loads(pickle.dumps(protector)).seed is None  # noqa: S301  our own bytes
    assert "90210" not in repr(mv.Protector(recipe(STEPS["datafly"]), seed=90210))
