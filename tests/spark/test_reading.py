"""Spark reads the files of a folder as one table, or says which of them it cannot read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import microveil as mv
from microveil.errors import FileError
from microveil.spark import reading
from microveil.spark.reading import check_source, gather, naming_damaged_files, read_on_spark
from tests.planning.test_parts_equal_whole import people
from tests.spark.cases import back

pytestmark = pytest.mark.filterwarnings("ignore")  # PySpark's own


@pytest.mark.parametrize("kind", ["csv", "parquet"])
@pytest.mark.parametrize("name", ["people", "a [b] people"])
def test_spark_reads_the_rows_that_are_read_here(
    kind: str, name: str, spark: Any, tmp_path: Path
) -> None:
    folder = tmp_path / name
    folder.mkdir()
    frame = people(9).select("age", "sex", "pay")
    for start in range(0, 9, 3):
        part, path = frame[start : start + 3], folder / f"{start}.{kind}"
        part.write_csv(path) if kind == "csv" else part.write_parquet(path)
    sources = [folder, folder / f"0.{kind}"]
    sources += [folder / f"[36].{kind}"] if name == "people" else []
    for source in sources:
        found, wanted = back(read_on_spark(spark, source)), mv.read(source)
        assert_frame_equal(found.sort("pay"), wanted.sort("pay"), check_dtypes=False)
    (folder / f"9.{kind}.partial").write_bytes(b"cut off")
    assert read_on_spark(spark, folder).count() == 9


def test_a_damaged_file_is_named_in_one_sentence(spark: Any, tmp_path: Path) -> None:
    frame = pl.DataFrame({"n": range(5000), "x": [n * 1.7 for n in range(5000)]})
    for name in ("a", "b c"):
        frame.write_parquet(tmp_path / f"{name}.parquet")
    damaged = tmp_path / "b c.parquet"
    whole = bytearray(damaged.read_bytes())
    whole[50:5000] = bytes(byte ^ 0x5A for byte in whole[50:5000])
    damaged.write_bytes(whole)
    sentence = r"/b c\.parquet cannot be read by Spark"
    with pytest.raises(FileError, match=sentence) as told, naming_damaged_files():
        read_on_spark(spark, tmp_path).agg({"n": "sum", "x": "sum"}).collect()
    assert "\n" not in str(told.value)
    damaged.write_bytes(b"PAR1 and no more")
    with pytest.raises(FileError, match=r"b c\.parquet cannot be read as Parquet"):
        check_source(tmp_path)
    with pytest.raises(ZeroDivisionError), naming_damaged_files():
        1 / 0  # noqa: B018  any other error stays


def test_damage_that_shows_while_cells_are_decoded_is_put_to_its_file(
    spark: Any, tmp_path: Path
) -> None:
    frame = pl.DataFrame({"n": [n % 70 for n in range(3000)]})
    for name in ("a", "b"):
        frame.write_parquet(tmp_path / f"{name}.parquet", compression="uncompressed")
    damaged = tmp_path / "b.parquet"
    whole = bytearray(damaged.read_bytes())
    # Numbers of the dictionary's entries, which follow its 70 values: beyond its end.
    whole[-1600:-1100] = b"\x7f" * 500
    damaged.write_bytes(whole)
    checked = check_source(tmp_path)
    with pytest.raises(FileError, match=r"/b\.parquet cannot be read"):  # noqa: SIM117
        with naming_damaged_files(checked):
            read_on_spark(spark, tmp_path, checked).agg({"n": "sum"}).collect()


@pytest.mark.parametrize("whole", [True, False])
def test_an_error_without_a_trace_is_put_to_a_damaged_file_if_there_is_one(
    whole: bool,  # noqa: FBT001  a case
    tmp_path: Path,
) -> None:
    error = type("Py4JJavaError", (Exception,), {"__module__": "py4j.protocol"})
    path = tmp_path / "a.parquet"
    pl.DataFrame({"n": [n % 70 for n in range(3000)]}).write_parquet(
        path, compression="uncompressed"
    )
    checked = check_source(tmp_path)
    if not whole:
        cells = bytearray(path.read_bytes())
        cells[-1600:-1100] = b"\x7f" * 500
        path.write_bytes(cells)
    expected = error if whole else FileError
    with pytest.raises(expected), naming_damaged_files(checked):
        raise error("Job aborted\n\tat x\nCaused by: java.lang.ArrayIndexOutOfBoundsException")


def test_folders_with_unlike_files_are_refused(tmp_path: Path) -> None:
    people(5).write_parquet(tmp_path / "a.parquet")
    check_source(tmp_path)
    people(5).drop("pay").write_parquet(tmp_path / "b.parquet")
    with pytest.raises(FileError, match=r"b\.parquet lacks column 'pay' of a\.parquet"):
        check_source(tmp_path)
    other = people(5).with_columns(pl.col("age").cast(pl.Int8))
    other.write_parquet(tmp_path / "b.parquet")
    with pytest.raises(FileError, match=r"b\.parquet has column 'age' of another type"):
        check_source(tmp_path)


@pytest.mark.parametrize("second", ["b,a\n1,2\n", "a;b\n1;2\n"])
def test_text_that_spark_would_read_by_its_place_is_refused(second: str, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("a,b\n1,2\n")
    (tmp_path / "b.csv").write_text(second)
    assert mv.read(tmp_path).height == 2
    with pytest.raises(FileError, match=r"b\.csv has another separator or another order"):
        check_source(tmp_path)


def test_sources_that_spark_cannot_read_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="No file"):
        check_source(tmp_path / "none")
    with pytest.raises(FileError, match="without data files"):
        check_source(tmp_path)
    for name in ("people.xlsx", "people.csv"):
        (tmp_path / name).write_bytes(b"age")
    with pytest.raises(FileError, match="reads Parquet and CSV"):
        check_source(tmp_path / "people.xlsx")
    check_source(tmp_path / "people.csv")


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_many_small_files_are_gathered_first(
    kind: str, spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "MANY", 4)
    monkeypatch.setattr(reading, "GATHERED", 2)
    folder, scratch = tmp_path / "in", tmp_path / "scratch"
    folder.mkdir()
    scratch.mkdir()
    frame = people(10).select("age", "sex", "pay")
    for start in range(0, 10, 2):
        part, path = frame[start : start + 2], folder / f"{start}.{kind}"
        if kind == "parquet":
            part.write_parquet(path)
        else:
            marked = b"\xef\xbb\xbf" if start == 4 else b""
            path.write_bytes(marked + part.write_csv().rstrip("\n").encode())
    found = read_on_spark(spark, folder, scratch=scratch)
    assert_frame_equal(back(found).sort("pay"), frame.sort("pay"), check_dtypes=False)
    assert len(list((scratch / "gathered").iterdir())) == 3
    found.unpersist()


def test_a_damaged_file_is_named_while_files_are_gathered(tmp_path: Path) -> None:
    frame = pl.DataFrame({"n": range(5000)})
    for name in ("a", "b"):
        frame.write_parquet(tmp_path / f"{name}.parquet")
    damaged = tmp_path / "b.parquet"
    whole = bytearray(damaged.read_bytes())
    whole[50:3000] = bytes(byte ^ 0x5A for byte in whole[50:3000])
    damaged.write_bytes(whole)
    with pytest.raises(FileError, match=r"b\.parquet"):
        gather("parquet", sorted(tmp_path.glob("*.parquet")), tmp_path)
