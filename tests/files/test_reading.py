from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from microveil.errors import ColumnError, FileError
from microveil.files import batches, format_of, read, scan, write

FRAME = pl.DataFrame({"x": [1, 2, 3], "s": ["a", "b", "c"]})


def test_a_missing_file_gets_a_hint(tmp_path: Path) -> None:
    (tmp_path / "patients.csv").write_text("a\n1\n")
    with pytest.raises(FileError, match=r"No file .*patient\.csv\. Did you mean 'patients\.csv'"):
        read(tmp_path / "patient.csv")
    with pytest.raises(FileError, match=r"The folder .* does not exist either"):
        read(tmp_path / "no" / "patients.csv")


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "t.parquet").mkdir()
    with pytest.raises(FileError, match="is a folder"):
        read(tmp_path / "t.parquet")


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


@pytest.mark.parametrize("name", ["t.parquet", "t.jsonl", "t.xlsx", "t.sav", "t.csv"])
def test_empty_files_are_told(name: str, tmp_path: Path) -> None:
    (tmp_path / name).touch()
    with pytest.raises(FileError, match="is empty"):
        read(tmp_path / name)


def test_a_broken_parquet_file_is_told(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    write(pl.DataFrame({"x": range(10_000)}), path)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(FileError, match="cannot be read as Parquet"):
        read(path)
    path.write_bytes(whole[:100] + bytes(len(whole) - 300) + whole[-200:])
    with pytest.raises(FileError, match="cannot be read as Parquet"):
        read(path)


def test_a_broken_line_of_json_is_told_by_number_only(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text('{"a": 1}\n{"a": "secretcell\n')
    with pytest.raises(FileError, match="line 2 is not a complete JSON object") as caught:
        read(path)
    assert "secretcell" not in str(caught.value)


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


def test_batches_of_parquet_keep_types_and_choices(
    every_type: pl.DataFrame, tmp_path: Path
) -> None:
    write(every_type, tmp_path / "t.parquet", keep_order=True)
    names = every_type.columns[::-1]
    parts = list(batches(tmp_path / "t.parquet", 2, columns=names, types={"whole": "text"}))
    assert [part.height for part in parts] == [2, 1]
    expected = every_type.select(names).cast({"whole": pl.String})
    assert pl.concat(parts).equals(expected)


def test_a_parquet_file_of_one_row_group_is_read_in_little_memory(tmp_path: Path) -> None:
    program = """
import sys
from microveil.files import batches
def own():
    lines = open("/proc/self/status").read().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("RssAnon"))
parts = batches(sys.argv[1], 50_000)
next(parts)
before = own()
print(max(own() for _ in parts) // 1024 - before // 1024)
"""
    n_rows = 2_000_000
    frame = pl.DataFrame({f"c{n}": pl.int_range(n_rows, eager=True) * 7919 for n in range(12)})
    frame.write_parquet(tmp_path / "t.parquet", row_group_size=n_rows)
    answer = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", program, str(tmp_path / "t.parquet")],
        capture_output=True,
        check=True,
        text=True,
    )
    assert int(answer.stdout) < frame.estimated_size("mb") / 2


def test_batches_can_be_left_half_read(tmp_path: Path) -> None:
    write(pl.DataFrame({"x": range(500_000)}), tmp_path / "t.parquet", keep_order=True)
    parts = batches(tmp_path / "t.parquet", 1000)
    assert next(parts)["x"].to_list() == list(range(1000))
    parts.close()  # type: ignore[attr-defined] # a generator is closed as it goes out of use
