"""Many files are one table: in order, with equal columns, or refused with the file's name."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import microveil as mv
from microveil.errors import FileError
from microveil.files.folders import files_of, is_many, n_bytes_of, would_hold
from microveil.files.reading import batches, scan

FRAME = pl.DataFrame(
    {
        "zip": ["01234", "80331", "80333", "99999"],
        "age": [31, 38, 44, None],
        "pay": [1.5, 2.0, 3.5, 4.0],
    }
)
Write = Callable[[pl.DataFrame, Path], None]
WRITERS: dict[str, Write] = {
    "csv": lambda frame, path: frame.write_csv(path),
    "parquet": lambda frame, path: frame.write_parquet(path),
}


@pytest.fixture(params=WRITERS)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def split(folder: Path, kind: str) -> Path:
    """Two files, the second with its columns in another order."""
    folder.mkdir()
    WRITERS[kind](FRAME[2:].select("pay", "zip", "age"), folder / f"b.{kind}")
    WRITERS[kind](FRAME[:2], folder / f"a.{kind}")
    return folder


@pytest.mark.parametrize("pattern", ["", "*", "?.*", "[ab].*"])
def test_files_are_read_in_the_order_of_their_names_with_columns_by_name(
    kind: str, pattern: str, tmp_path: Path
) -> None:
    source = split(tmp_path / "people", kind) / pattern
    assert is_many(source)
    assert_frame_equal(mv.read(source), FRAME)
    assert_frame_equal(scan(str(source)).collect(), FRAME)
    assert_frame_equal(mv.read(source, columns=["pay", "zip"]), FRAME.select("pay", "zip"))
    assert mv.read(source, types={"age": "text"})["age"].to_list() == ["31", "38", "44", None]


def test_parts_have_the_size_asked_for_whatever_the_files_have(kind: str, tmp_path: Path) -> None:
    source = split(tmp_path / "people", kind)
    for n_rows in (1, 3, 4, 100):
        found = list(batches(source, n_rows))
        assert_frame_equal(pl.concat(found), FRAME)
        assert all(part.height <= n_rows for part in found)
    if kind == "parquet":
        assert [part.height for part in batches(source, 3)] == [3, 1]


def test_hidden_and_unfinished_files_are_no_data(kind: str, tmp_path: Path) -> None:
    folder = split(tmp_path / "people", kind)
    for name in ("_SUCCESS", ".hidden.csv", "c.csv.partial", "c.parquet.tmp", ".c.parquet.crc"):
        (folder / name).write_bytes(b"nothing")
    assert_frame_equal(mv.read(folder), FRAME)
    assert_frame_equal(mv.read(folder / "*"), FRAME)
    (folder / "_kept").mkdir()
    WRITERS[kind](FRAME[:1], folder / f"_own.{kind}")
    assert mv.read(folder / f"_*.{kind}").height == 1


def test_a_missing_column_and_one_too_many_name_file_and_column(kind: str, tmp_path: Path) -> None:
    folder = split(tmp_path / "people", kind)
    WRITERS[kind](FRAME.drop("pay"), folder / f"c.{kind}")
    with pytest.raises(FileError, match=rf"c\.{kind} lacks column 'pay' of a\.{kind}\."):
        mv.read(folder)
    WRITERS[kind](FRAME.rename({"pay": "income"}), folder / f"c.{kind}")
    with pytest.raises(FileError, match=r"lacks column 'pay'.* and has column 'income', which a"):
        mv.read(folder)


def test_a_changed_type_in_parquet_names_file_and_column(tmp_path: Path) -> None:
    folder = split(tmp_path / "people", "parquet")
    FRAME.with_columns(pl.col("age").cast(pl.String)).write_parquet(folder / "c.parquet")
    with pytest.raises(FileError, match=r"c\.parquet has column 'age' of another type than a\."):
        mv.read(folder)


def test_types_of_text_are_those_of_all_files_together(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("zip,n\n80331,1\n")
    (tmp_path / "b.csv").write_text("zip,n\n01067,2.5\n")
    assert mv.read(tmp_path).rows() == [("80331", 1.0), ("01067", 2.5)]


def test_text_files_may_differ_in_separator_encoding_packing_and_regularity(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("name;n;x\nMüller;1;\n", encoding="windows-1252")
    with gzip.open(tmp_path / "b.csv.gz", "wt", encoding="utf-8") as file:
        file.write("n,x,name\n2,,Öz\n\n")
    (tmp_path / "c.tsv").write_text("name\tn\tx\nŁoś\t3\t5\n", encoding="utf-8")
    (tmp_path / "d.csv").write_text("name,n,x\n")
    rows = [("Müller", 1, None), ("Öz", 2, None), ("Łoś", 3, 5)]
    assert mv.read(tmp_path).rows() == rows
    (tmp_path / "e.csv").write_text("name,n,x\na,1\n")
    with pytest.raises(FileError, match=r"e\.csv"):
        mv.read(tmp_path)


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    folder = split(tmp_path / "people", "parquet")
    big = pl.DataFrame(
        {"zip": ["0"] * 5000, "age": range(5000), "pay": [i * 1.7 for i in range(5000)]}
    )
    big.write_parquet(folder / "c.parquet")
    whole = bytearray((folder / "c.parquet").read_bytes())
    whole[100:3000] = bytes(byte ^ 0x5A for byte in whole[100:3000])
    (folder / "c.parquet").write_bytes(whole)
    with pytest.raises(FileError, match=r"c\.parquet cannot be read as Parquet"):
        mv.read(folder)
    with pytest.raises(FileError, match=r"c\.parquet cannot be read as Parquet"):
        list(batches(folder, 10))
    for rest in (b"PAR1", b""):
        (folder / "c.parquet").write_bytes(rest)
        with pytest.raises(FileError, match=r"c\.parquet (cannot be read as Parquet|is empty)"):
            mv.read(folder)


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        ([], "is a folder without data files"),
        (["_SUCCESS", "a.parquet.partial"], "is a folder without data files"),
        (["a.csv", "b.parquet"], "files of several formats"),
        (["a.csv", "notes.md"], r"notes\.md is of an unknown kind"),
        (["a.xlsx"], r"a\.xlsx is XLSX"),
        (["year=2024/a.csv"], "holds folders"),
    ],
)
def test_what_is_no_table_is_one_sentence(names: list[str], sentence: str, tmp_path: Path) -> None:
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("a,b\n1,2\n")
    with pytest.raises(FileError, match=sentence):
        mv.read(tmp_path)


def test_patterns_without_files_and_with_columns_in_folders_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="No file fits the pattern"):
        mv.read(tmp_path / "*.csv")
    (tmp_path / "year=2024").mkdir()
    (tmp_path / "year=2024" / "a.csv").write_text("a,b\n1,2\n")
    with pytest.raises(FileError, match="hold a column that the files lack"):
        mv.read(tmp_path / "*" / "*.csv")
    assert mv.read(tmp_path / "year=2024" / "*.csv").rows() == [(1, 2)]


def test_one_file_stands_for_itself_whatever_its_name(tmp_path: Path) -> None:
    FRAME.write_parquet(tmp_path / "a[1]*.parquet")
    FRAME.write_parquet(tmp_path / "a1.parquet")
    assert files_of(tmp_path / "a[1]*.parquet") == [tmp_path / "a[1]*.parquet"]
    assert not is_many("postgresql:/ann:secret@host/db?table=*")
    assert n_bytes_of("sqlite:///a.db?query=select 2*2") == 0
    assert n_bytes_of(tmp_path) == sum(one.stat().st_size for one in tmp_path.iterdir())


def test_a_target_among_the_files_is_known(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("a\n1\n")
    assert would_hold(tmp_path, tmp_path / "new.json")
    assert would_hold(tmp_path / "*.csv", tmp_path / "new.csv")
    assert not would_hold(tmp_path / "*.csv", tmp_path / "new.parquet")
    assert not would_hold(tmp_path, tmp_path.parent / "new.csv")
