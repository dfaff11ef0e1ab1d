"""Spellings that make no difference, and dates that are told by their pattern."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import microveil as mv
from microveil.hierarchies import build_hierarchy
from microveil.hierarchies.spelling import normal_form

TREE = {"tree": {"Aragón": ["Zaragoza", "Huesca"], "Catalunya": ["Barcelona"]}}
ALL = ["case", "accents", "blanks"]


def labels(ignore: list[str], values: list[str]) -> list[str]:
    step = mv.Generalize.parse(
        {"column": "town", "hierarchy": {**TREE, "ignore": ignore}, "level": 1, "unlisted": "star"}
    )
    found: list[str] = step.protect(pl.DataFrame({"town": values}))["town"].to_list()
    return found


def test_spellings_get_the_label_of_the_listed_value() -> None:
    values = ["Zaragoza", " ZARAGOZÁ", "hue  sca", "huesca ", "Barcelona"]
    assert labels(ALL, values) == ["Aragón", "Aragón", "*", "Aragón", "Catalunya"]
    assert labels([], values) == ["Aragón", "*", "*", "*", "Catalunya"]
    assert labels(["case"], values) == ["Aragón", "*", "*", "*", "Catalunya"]


def test_each_difference_is_ignored_by_itself() -> None:
    assert normal_form("Ávila  X", ["case"]) == "ávila  x"
    assert normal_form("Ávila  X", ["accents"]) == "Avila  X"
    assert normal_form(" Ávila  X", ["blanks"]) == "Ávila X"
    assert normal_form("Łódź ñ ö", ["accents"]) == "Łodz n o"


def test_a_spelling_of_two_listed_values_is_none_of_them() -> None:
    tree = {"tree": {"low": ["a"], "high": ["A"]}, "ignore": ["case", "blanks"]}
    built = build_hierarchy(tree, pl.Series(["a ", "A", "a"]))
    assert sorted(built.values.to_list()) == ["A", "a"]


def test_files_ignore_spellings_too(tmp_path: Path) -> None:
    (tmp_path / "towns.csv").write_text("Zaragoza;Aragón;*\nHuesca;Aragón;*\n", encoding="utf-8")
    source = {"hierarchy": "file", "path": str(tmp_path / "towns.csv"), "ignore": ALL}
    built = build_hierarchy(source, pl.Series(["HUESCA", "zaragozà"]))
    assert built.n_values == 4
    assert built.n_labels == (4, 1, 1)


@pytest.mark.parametrize(
    "written", ["01/02/2020", "2020-02-01", "01-02-2020", "01.02.2020", "2020/02/01"]
)
def test_texts_of_dates_are_generalised_as_dates(written: str) -> None:
    built = build_hierarchy({"hierarchy": "types"}, pl.Series([written]))
    assert built.frame.row(0)[:3] == (written, "02/2020", "2020")


def test_texts_that_only_look_like_dates_are_cut_as_text() -> None:
    built = build_hierarchy({"hierarchy": "types"}, pl.Series(["01/02/2020", "99/99/2020"]))
    assert built.frame.row(0)[1] == "01/02/202"
    mixed = build_hierarchy({"hierarchy": "types"}, pl.Series(["01/02/2020", "unknown"]))
    assert "02/2020" not in mixed.frame.row(0)


def test_types_ignore_spellings_before_they_cut() -> None:
    built = build_hierarchy(
        {"hierarchy": "types", "ignore": ALL}, pl.Series(["Ávila", "avila ", "AVILÉS"])
    )
    assert (
        built.frame.to_series(1).to_list() == ["avila", "avila", "avile"]
        or len(set(built.frame.to_series(1).to_list())) == 2
    )
