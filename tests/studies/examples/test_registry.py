"""Example tables: seeded, of the size asked for, in every format the command can write."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

import microveil as mv
from microveil.cli.program import program
from microveil.studies.examples import EXAMPLES

COUNTED = ("independent", "squares", "dependent", "dependent_squares")
"""Sets without chance."""


@pytest.mark.parametrize("name", list(EXAMPLES))
def test_a_seed_gives_the_same_table_of_the_size_asked_for(name: str) -> None:
    draw = EXAMPLES[name].draw
    first = draw(120, 3)
    assert first.equals(draw(120, 3))
    if not name.startswith("dependent"):
        assert first.height == 120
    if name not in COUNTED:
        assert not first.equals(draw(120, 4))


@pytest.mark.parametrize("name", list(EXAMPLES))
def test_a_table_of_one_row_can_be_drawn(name: str) -> None:
    assert EXAMPLES[name].draw(1, 0).height == 1


def _run(*words: str) -> None:
    done = CliRunner().invoke(program, ["example", *words], catch_exceptions=False)
    assert done.exit_code == 0, done.output


def test_the_command_writes_any_format(tmp_path: Path) -> None:
    target = tmp_path / "survey.parquet"
    _run("households", "--rows", "50", "--out", str(target))
    assert mv.read(target).height == 50
    with pytest.raises(mv.InputError, match="Did you mean 'households'"):
        _run("household", "--out", "x.csv")


def test_the_command_gives_number_sets_columns_and_values(tmp_path: Path) -> None:
    target = tmp_path / "set.parquet"
    _run("dependent", "--values", "3", "--columns", "4", "--out", str(target))
    assert mv.read(target).shape == (81, 4)
    _run("squares", "--rows", "7", "--columns", "2", "--out", str(target))
    assert mv.read(target).rows()[-1] == (49, 49)
    with pytest.raises(mv.InputError, match="Leave out --columns"):
        _run("households", "--columns", "2", "--out", str(target))


def test_the_command_writes_the_course_as_a_folder_or_table_by_table(tmp_path: Path) -> None:
    _run("course", "--out", str(tmp_path / "course"))
    _run("course_table_23", "--out", str(tmp_path / "release.csv"))
    released = mv.read(tmp_path / "release.csv")
    assert released.equals(mv.read(tmp_path / "course" / "table_23.csv"))
    keys = ["occupation", "zip", "age", "status"]
    assert mv.assess(released, mv.Roles(quasi_identifiers=keys)).k == 1
    for words, message in (
        (("course_table_99", "--out", "x.csv"), "List: microveil example course"),
        (("course", "--rows", "5"), "are given"),
        (("course_table_3",), "--out FILE"),
    ):
        with pytest.raises(mv.InputError, match=message):
            _run(*words)
