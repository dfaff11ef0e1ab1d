from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.errors import FileError
from microveil.files import read, write
from microveil.files.formulas import neutralize_formulas, neutralized_names

RUNNING = ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", "=-5"]
HARMLESS = ["-5", "+49", "-1.5", "-1,5", "1e-5", "a=b", "", " =1", "x-y", "'=1"]


@pytest.mark.parametrize("text", RUNNING)
def test_text_that_a_spreadsheet_would_run_gets_an_apostrophe(text: str) -> None:
    frame, counts = neutralize_formulas(pl.DataFrame({"note": [text]}))
    assert frame["note"].item() == f"'{text}"
    assert counts == {"note": 1}


@pytest.mark.parametrize("text", HARMLESS)
def test_plain_numbers_and_other_text_stay(text: str) -> None:
    frame, counts = neutralize_formulas(pl.DataFrame({"note": [text]}))
    assert frame["note"].item() == text
    assert counts == {}


def test_columns_of_numbers_are_never_touched() -> None:
    frame = pl.DataFrame({"x": [-5, 3], "y": [-1.5, 2.0]})
    assert neutralize_formulas(frame)[0].equals(frame)


def test_categories_are_neutralised_too() -> None:
    frame = pl.DataFrame({"c": pl.Series(["=1", "x", None], dtype=pl.Categorical)})
    assert neutralize_formulas(frame)[0]["c"].to_list() == ["'=1", "x", None]


@given(st.lists(st.one_of(st.none(), st.text(max_size=5)), min_size=1))
def test_nothing_that_runs_is_left(cells: list[str | None]) -> None:
    frame, _ = neutralize_formulas(pl.DataFrame({"a": cells}, schema={"a": pl.String}))
    again, counts = neutralize_formulas(frame)
    assert again.equals(frame)
    assert counts == {}


def test_names_that_would_be_the_same_are_refused() -> None:
    with pytest.raises(FileError, match="Rename one"):
        neutralized_names(["=a", "'=a"])


@pytest.mark.parametrize("name", ["t.csv", "t.tsv", "t.xlsx"])
def test_cells_and_names_are_neutralised_on_export_and_counted(name: str, tmp_path: Path) -> None:
    frame = pl.DataFrame({"=a": ["=1", "fine", "@x"], "b": [-1, 2, 3], "c": ["x", "y", "-5"]})
    report = write(frame, tmp_path / name, keep_order=True)
    assert report.n_neutralized == {"=a": 2}
    assert report.n_neutralized_names == 1
    back = read(tmp_path / name)
    assert back.columns == ["'=a", "b", "c"]
    assert back["'=a"].to_list() == ["'=1", "fine", "'@x"]
    assert back["b"].to_list() == [-1, 2, 3]


@pytest.mark.parametrize("name", ["t.csv", "t.xlsx"])
def test_neutralising_can_be_switched_off(name: str, tmp_path: Path) -> None:
    report = write(pl.DataFrame({"=a": ["=1"]}), tmp_path / name, neutralize=False)
    assert report.n_neutralized == {}
    assert read(tmp_path / name).to_dict(as_series=False) == {"=a": ["=1"]}


def test_formats_that_run_nothing_are_left_alone(tmp_path: Path) -> None:
    report = write(pl.DataFrame({"a": ["=1"]}), tmp_path / "t.parquet")
    assert report.n_neutralized == {}
    assert read(tmp_path / "t.parquet")["a"].item() == "=1"
