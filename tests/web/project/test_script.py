"""The program of a release makes it again, whatever its files are called."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from microveil.methods import Drop, LocalSuppression
from microveil.recipes import Recipe
from microveil.web.project.script import _block, script_of
from tests.web.project.cases import PEOPLE, recipe_of


def test_the_script_makes_the_same_release(tmp_path: Path) -> None:
    recipe = recipe_of(Drop(columns=("name",)), LocalSuppression(k=3))
    source, target = tmp_path / 'quo"ted.csv', tmp_path / "it's.csv"
    PEOPLE.write_csv(source)
    code = script_of(recipe, str(source), str(target)).replace('"report.html"', "None")
    code = code.replace("release.report(None)", "")
    exec(compile(code, "release.py", "exec"), {})  # noqa: S102  the program that a user would run
    released = pl.read_csv(target)
    assert int(released.group_by("sex", "age", "postcode").len()["len"].min()) >= 3  # type: ignore[arg-type]


def test_names_are_never_run() -> None:
    name = "a.csv'); raise SystemExit(\"'"
    code = script_of(Recipe(), name, name)
    compile(code, "release.py", "exec")
    assert repr(name) in code


def test_a_text_of_several_lines_comes_back_whole() -> None:
    text = "a: 'x'\nb: \"y\"\\n\n"
    assert eval(_block(text)) == text  # noqa: S307  what Python reads
