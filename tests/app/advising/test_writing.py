"""The files of an advice: recipes that run, figures, and a page."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from microveil.app.advising.goal import Goal
from microveil.app.running import run
from microveil.errors import FileError
from microveil.recipes import Recipe
from tests.app.advising.cases import PEOPLE, found


def test_a_recipe_file_repeats_the_release_to_the_byte(tmp_path: Path) -> None:
    advice = found()
    advice.write(tmp_path)
    for one in advice.offers:
        again = run(Recipe.read(tmp_path / f"{one.taste}.yaml"), PEOPLE, seed=7)
        assert one.release is not None
        assert again.data.equals(one.release.data)
        assert again.holds
    assert Goal.read(tmp_path / "goal.yaml") == advice.goal
    plain = json.loads((tmp_path / "advice.json").read_text(encoding="utf-8"))
    assert plain["n_tried"] == len(advice.candidates)


def test_the_page_has_recipes_reasons_and_map_and_no_cell(tmp_path: Path) -> None:
    page = found().report(tmp_path / "advice.html").read_text(encoding="utf-8")
    assert "method: " in page
    assert "<svg" in page
    assert "What each requirement costs" in page
    assert not any(name in page for name in PEOPLE["name"].unique())
    spanish = found().report(tmp_path / "consejo.html", language="es").read_text(encoding="utf-8")
    assert "Lo que cuesta cada requisito" in spanish


def test_other_formats_are_told(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="suffix"):
        found().report(tmp_path / "advice.docx")
    assert found().report(tmp_path / "advice.json").exists()


def test_recipes_of_an_earlier_advice_do_not_stay(tmp_path: Path) -> None:
    advice = found()
    advice.write(tmp_path)
    replace(advice, offers=advice.offers[:1]).write(tmp_path)
    assert [path.stem for path in tmp_path.glob("*est.yaml")] == []
    assert (tmp_path / "useful.yaml").exists()
