from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from microveil.errors import FileError
from microveil.files import batches, read, write


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
