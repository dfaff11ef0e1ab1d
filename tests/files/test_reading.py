from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from microveil.errors import ColumnError, FileError
from microveil.files import batches, format_of, read, scan, write

FRAME = pl.DataFrame({"x": [1, 2, 3], "s": ["a", "b", "c"]})


def test_an_unknown_suffix_lists_the_known() -> None:
    with pytest.raises(FileError, match=r"'\.foo'\. Known: \.csv, .*\.parquet.*\.duckdb"):
        read("people.foo")
    with pytest.raises(FileError, match="follows from the suffix"):
        read("people")
    with pytest.raises(FileError, match="Did you mean 'parquet'"):
        read("people", format="parket")


def test_a_suffix_is_read_in_any_case() -> None:
    assert format_of("A.CSV").name == "csv"
    assert format_of("a.Tsv.GZ").name == "csv"


def test_a_format_can_be_said(tmp_path: Path) -> None:
    write(FRAME, tmp_path / "people", format="parquet", keep_order=True)
    assert read(tmp_path / "people", format="parquet").equals(FRAME)


def test_options_that_do_not_go_with_a_format_are_told(tmp_path: Path) -> None:
    write(FRAME, tmp_path / "t.parquet")
    with pytest.raises(FileError, match="Parquet has no option 'separator'"):
        read(tmp_path / "t.parquet", separator=";")
    with pytest.raises(FileError, match="Did you mean 'separator'"):
        read(tmp_path / "t.csv", seperator=";")  # type: ignore[call-arg] # the mistake is the test
    with pytest.raises(FileError, match="Parquet has no option 'sheet'"):
        write(FRAME, tmp_path / "t.parquet", sheet="x")


def test_options_left_open_are_no_options(tmp_path: Path) -> None:
    write(FRAME, tmp_path / "t.parquet", keep_order=True)
    assert read(tmp_path / "t.parquet", separator=None).equals(FRAME)


@pytest.mark.parametrize("name", ["t.csv", "t.parquet", "t.xlsx", "t.sav"])
def test_types_and_columns_are_checked_in_every_format(name: str, tmp_path: Path) -> None:
    write(FRAME, tmp_path / name, keep_order=True)
    assert read(tmp_path / name, types={"x": "text"})["x"].to_list() == ["1", "2", "3"]
    for options in ({"columns": ["y"]}, {"types": {"y": "text"}}):
        with pytest.raises(ColumnError, match="No column 'y'"):
            read(tmp_path / name, **options)


def test_a_plan_keeps_the_types_asked_for(tmp_path: Path) -> None:
    write(FRAME, tmp_path / "t.parquet", keep_order=True)
    plan = scan(tmp_path / "t.parquet", types={"x": "text"})
    assert plan.collect()["x"].to_list() == ["1", "2", "3"]


def test_formats_that_are_read_whole_have_no_plan(tmp_path: Path) -> None:
    write(FRAME, tmp_path / "t.xlsx")
    with pytest.raises(FileError, match=r"XLSX cannot be read in parts.*Use read\(\)"):
        scan(tmp_path / "t.xlsx")


def test_a_batch_has_at_least_one_row() -> None:
    with pytest.raises(FileError, match="at least 1 row"):
        next(batches("t.csv", 0))


def test_batches_can_be_left_half_read(tmp_path: Path) -> None:
    write(pl.DataFrame({"x": range(500_000)}), tmp_path / "t.parquet", keep_order=True)
    parts = batches(tmp_path / "t.parquet", 1000)
    assert next(parts)["x"].to_list() == list(range(1000))
    parts.close()  # type: ignore[attr-defined] # a generator is closed as it goes out of use
