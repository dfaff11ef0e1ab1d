"""Two processes that create one new database at once: neither takes the other's table away."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from microveil.files import read

WRITER = """
import sys, time, pathlib
import polars as pl
import microveil as mv
from microveil.files import write
folder, name, table = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
frame = pl.DataFrame({"x": range(2000)})
write(frame, folder / f"warm-{table}{name}", table="t")
(folder / f"ready-{table}").touch()
while len(list(folder.glob("ready-*"))) < 2:
    time.sleep(0.001)
try:
    write(frame, folder / name, table=table)
except mv.FileError as error:
    print(error)
    sys.exit(2)
"""


@pytest.mark.parametrize("name", ["p.db", "p.duckdb"])
def test_the_loser_of_a_race_leaves_the_winners_file(name: str, tmp_path: Path) -> None:
    tables = ("mine", "theirs")
    runs = [
        subprocess.Popen(  # noqa: S603  our own script
            [sys.executable, "-c", WRITER, str(tmp_path), name, table],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for table in tables
    ]
    told = [run.communicate(timeout=60) for run in runs]
    codes = [run.returncode for run in runs]
    assert set(codes) <= {0, 2}, told
    assert 0 in codes, told
    for table, code, (out, _) in zip(tables, codes, told, strict=True):
        if code == 0:
            assert read(tmp_path / name, table=table).height == 2000
        else:
            assert len(out.splitlines()) == 1
    assert not list(tmp_path.glob("*.partial")) + list(tmp_path.glob(".*.partial"))
